#include "user/ports/compressor.h"

#include "heddle/system.h"
#include "user/crew.h"
#include "user/ports/allocate.h"
#include "user/ports/checksum.h"
#include "user/ports/library.h"

#define STACK_BYTES ((size_t)32 << 10)

struct work {
	struct program_run *run;
	const struct roundtrip_codec *codec;
	uint64_t size, level, rounds;
	uint64_t *checksums; /* one a task */
};

/* Gives back how many rounds went well. */
static intptr_t run_rounds(size_t member, void *argument)
{
	const struct work *work = argument;
	uint64_t checksum = CHECKSUM_START;
	intptr_t well = 0;
	int error = 0;
	library_begin(&error);
	for (uint64_t round = 0; round < work->rounds; round++) {
		struct arena arena = {0};
		struct roundtrip trip = {.codec = work->codec,
		                         .seed = member * work->rounds + round,
		                         .bytes = work->size,
		                         .level = (int)work->level};
		allocate_begin(&arena);
		const char *problem = roundtrip_run(&trip);
		allocate_begin(NULL);
		arena_end(&arena);
		if (problem)
			program_failed(work->run, "task %lu: %s", member, problem);
		else
			well++;
		checksum = checksum_add(checksum, &trip.checksum, sizeof(trip.checksum));
	}
	work->checksums[member] = checksum;
	return well;
}

static bool run_crew(struct work *work, uint64_t tasks)
{
	struct crew crew = {.name = work->codec->name, .function = run_rounds, .argument = work, .count = tasks};
	intptr_t well;
	crew.stack_size = STACK_BYTES;
	enum heddle_error error = crew_create(&crew);
	uint64_t start = heddle_clock();
	if (error == HEDDLE_OK) {
		crew_start(&crew);
		error = crew_join(&crew, &well);
	}
	uint64_t nanoseconds = heddle_clock() - start;
	if (error != HEDDLE_OK)
		return program_failed(work->run, "%lu tasks: %s", tasks, heddle_error_text(error));
	uint64_t operations = tasks * work->rounds;
	/* tools/checks/ports_reference.c computes the same */
	program_result_extra(work->run, "checksum",
	                     checksum_add(CHECKSUM_START, work->checksums, tasks * sizeof(*work->checksums)));
	return program_result(work->run, NULL, operations, nanoseconds, (uint64_t)well == operations);
}

bool compressor_run(struct program_run *run, const struct roundtrip_codec *codec)
{
	uint64_t tasks = program_value(run, "tasks");
	size_t bytes = tasks * sizeof(uint64_t);
	struct work work = {.run = run,
	                    .codec = codec,
	                    .size = program_value(run, "size"),
	                    .level = program_value(run, "level"),
	                    .rounds = program_value(run, "rounds"),
	                    .checksums = heddle_allocate(bytes)};
	bool well =
	    work.checksums ? run_crew(&work, tasks) : program_failed(run, "no memory for %lu results", tasks);
	heddle_free(work.checksums, bytes);
	return well;
}
