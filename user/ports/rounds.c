#include "user/ports/rounds.h"

#include "heddle/system.h"
#include "user/ports/checksum.h"

bool rounds_time(struct program_run *run, struct crew *crew, intptr_t *sum, uint64_t *nanoseconds)
{
	enum heddle_error error = crew_create(crew);
	if (error == HEDDLE_OK) {
		uint64_t start = heddle_clock();
		crew_start(crew);
		error = crew_join(crew, sum);
		*nanoseconds = heddle_clock() - start;
	}
	return error == HEDDLE_OK || program_failed(run, "%lu tasks: %s", crew->count, heddle_error_text(error));
}

static bool run_all(struct rounds *rounds, struct crew *crew, size_t bytes)
{
	uint64_t nanoseconds, operations = crew->count * rounds->each;
	intptr_t well;
	if (!rounds_time(rounds->run, crew, &well, &nanoseconds))
		return false;
	/* tools/checks/ports_reference.c computes the same */
	program_result_extra(rounds->run, "checksum", checksum_add(CHECKSUM_START, rounds->checksums, bytes));
	return program_result(rounds->run, NULL, operations, nanoseconds, (uint64_t)well == operations);
}

bool rounds_run(struct rounds *rounds, struct crew *crew)
{
	crew->count = program_value(rounds->run, "tasks");
	rounds->each = program_value(rounds->run, "rounds");
	size_t bytes = crew->count * sizeof(*rounds->checksums);
	rounds->checksums = heddle_allocate(bytes);
	if (!rounds->checksums)
		return program_failed(rounds->run, "no memory for %lu results", crew->count);
	bool well = run_all(rounds, crew, bytes);
	heddle_free(rounds->checksums, bytes);
	return well;
}
