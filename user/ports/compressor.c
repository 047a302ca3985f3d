#include "user/ports/compressor.h"

#include "user/ports/allocate.h"
#include "user/ports/checksum.h"
#include "user/ports/library.h"
#include "user/ports/rounds.h"

#define STACK_BYTES ((size_t)32 << 10)

struct work {
	struct rounds rounds;
	const struct roundtrip_codec *codec;
	uint64_t size, level;
};

/* Returns how many rounds succeeded. */
static intptr_t run_rounds(size_t member, void *argument)
{
	const struct work *work = argument;
	uint64_t checksum = CHECKSUM_START;
	intptr_t well = 0;
	int error = 0;
	library_begin(&error);
	for (uint64_t round = 0; round < work->rounds.each; round++) {
		struct arena arena = {0};
		struct roundtrip trip = {.codec = work->codec,
		                         .seed = member * work->rounds.each + round,
		                         .bytes = work->size,
		                         .level = (int)work->level};
		allocate_begin(&arena);
		const char *problem = roundtrip_run(&trip);
		allocate_begin(NULL);
		arena_end(&arena);
		if (problem)
			program_failed(work->rounds.run, "task %lu: %s", member, problem);
		else
			well++;
		checksum = checksum_add(checksum, &trip.checksum, sizeof(trip.checksum));
	}
	work->rounds.checksums[member] = checksum;
	return well;
}

bool compressor_run(struct program_run *run, const struct roundtrip_codec *codec)
{
	struct work work = {.rounds = {.run = run},
	                    .codec = codec,
	                    .size = program_value(run, "size"),
	                    .level = program_value(run, "level")};
	struct crew crew = {
	    .name = codec->name, .function = run_rounds, .argument = &work, .stack_size = STACK_BYTES};
	return rounds_run(&work.rounds, &crew);
}
