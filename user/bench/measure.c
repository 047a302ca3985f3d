#include "user/bench/measure.h"

#include "heddle/system.h"

bool crew_measure(struct program_run *run, struct crew *crew, uint64_t *nanoseconds, intptr_t *sum)
{
	enum heddle_error error = crew_create(crew);
	if (error != HEDDLE_OK)
		return program_failed(run, "cannot create %zu tasks: %s", crew->count, heddle_error_text(error));
	crew_start(crew);
	error = crew_join(crew, sum);
	*nanoseconds = heddle_clock() - crew->started_at;
	return error == HEDDLE_OK || program_failed(run, "a task failed: %s", heddle_error_text(error));
}
