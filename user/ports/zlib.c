/*
 * zlib in each task: texts that differ from task to task, compressed, restored and compared.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"
#include "user/ports/arena.h"
#include "user/ports/checksum.h"
#include "user/ports/library.h"
#include "user/ports/roundtrip.h"

#define STACK_BYTES ((size_t)32 << 10)

struct work {
	struct program_run *run;
	uint64_t size, level, rounds;
	uint64_t *checksums; /* one a task */
};

static void *allocate(void *arena, unsigned count, unsigned bytes)
{
	return arena_allocate(arena, (size_t)count * bytes);
}

/* The arena takes everything back at once. */
static void release(void *arena, void *block)
{
	(void)arena, (void)block;
}

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
		struct roundtrip trip = {
		    .seed = member * work->rounds + round, .bytes = work->size, .level = (int)work->level};
		trip.allocate = allocate;
		trip.release = release;
		trip.memory = &arena;
		const char *problem = roundtrip_run(&trip);
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
	struct crew crew = {.name = "zlib", .function = run_rounds, .argument = work, .count = tasks};
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

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks");
	size_t bytes = tasks * sizeof(uint64_t);
	struct work work = {.run = run,
	                    .size = program_value(run, "size"),
	                    .level = program_value(run, "level"),
	                    .rounds = program_value(run, "rounds"),
	                    .checksums = heddle_allocate(bytes)};
	bool well =
	    work.checksums ? run_crew(&work, tasks) : program_failed(run, "no memory for %lu results", tasks);
	heddle_free(work.checksums, bytes);
	return well;
}

static const struct program_parameter parameters[] = {
    {"tasks", 200, 1, 100000, "tasks, each with texts of its own"},
    {"rounds", 1, 1, 1000000000, "texts that each task compresses and restores, one after the other"},
    {"size", 60000, 1, 100000000, "bytes of a text"},
    {"level", 6, 0, 9, "how hard zlib tries"},
    {0}};

PROGRAM(zlib, "zlib in each task: compress, restore, compare", parameters, run);
