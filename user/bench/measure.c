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

bool measure_time_read(struct program_run *run, struct measure_time *time, const char *instead)
{
	time->period = program_value(run, "milliseconds") * MILLISECOND;
	time->warmup = program_value(run, "warmup") * MILLISECOND;
	return !time->warmup || time->period ||
	       program_failed(run, "warmup= goes before milliseconds=, and is not used with %s=", instead);
}

uint64_t measure_time_work(const struct measure_time *time, const struct crew *crew,
                           uint64_t (*batch)(void *), void *argument)
{
	uint64_t from = crew->started_at + time->warmup, until = from + time->period, counted = 0;
	for (uint64_t began = heddle_clock(), ended; began < until; began = ended) {
		uint64_t done = batch(argument);
		ended = heddle_clock();
		if (began >= from && ended <= until)
			counted += done;
	}
	return counted;
}
