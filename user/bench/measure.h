/*
 * The time from the start of a crew until all its members have ended; or a period in which they go on.
 */
#ifndef USER_BENCH_MEASURE_H
#define USER_BENCH_MEASURE_H

#include "heddle/program.h"
#include "user/crew.h"

#define MILLISECOND 1000000 /* nanoseconds */

/* False: the crew could not be created, or a member ended by a fault; the program has failed. `sum` as for
 * crew_join(). */
bool crew_measure(struct program_run *run, struct crew *crew, uint64_t *nanoseconds, intptr_t *sum);

/* From `warmup` after the start of a crew on, for `period`; nanoseconds. No period: the work says when it ends. */
struct measure_time {
	uint64_t warmup, period;
};

/* What the words milliseconds= and warmup= say; `instead` names the word that says how much work there is without them.
 * False: there is a warm-up before no period; the program has failed. */
bool measure_time_read(struct program_run *run, struct measure_time *time, const char *instead);

/* Do batches of work until the period has passed. Returns the sum of what those returned that count: they begin after
 * the warm-up and end in time. */
uint64_t measure_time_work(const struct measure_time *time, const struct crew *crew,
                           uint64_t (*batch)(void *), void *argument);

#endif
