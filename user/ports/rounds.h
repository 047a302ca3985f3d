/*
 * Timed rounds of work in many tasks, with one checksum of all results.
 */
#ifndef USER_PORTS_ROUNDS_H
#define USER_PORTS_ROUNDS_H

#include "heddle/program.h"
#include "user/crew.h"

struct rounds {
	struct program_run *run;
	uint64_t each;       /* rounds per task */
	uint64_t *checksums; /* one per task, by its number */
};

/* Run as many tasks and rounds as the parameters `tasks` and `rounds` say, and print the result. The crew's function
 * writes its task's checksum, and returns how many of its rounds succeeded. */
bool rounds_run(struct rounds *rounds, struct crew *crew);

/* Run a crew to its end; returns the sum of its results, and the time that it took, in nanoseconds. False: it could
 * not run, which was reported. */
bool rounds_time(struct program_run *run, struct crew *crew, intptr_t *sum, uint64_t *nanoseconds);

#endif
