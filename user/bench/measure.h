/*
 * The time from the start of a crew until all its members have ended.
 */
#ifndef USER_BENCH_MEASURE_H
#define USER_BENCH_MEASURE_H

#include "heddle/program.h"
#include "user/crew.h"

#define MILLISECOND 1000000 /* nanoseconds */

/* False: the crew could not be created, or a member ended by a fault; the program has failed. `sum` as for
 * crew_join(). */
bool crew_measure(struct program_run *run, struct crew *crew, uint64_t *nanoseconds, intptr_t *sum);

#endif
