/*
 * What `section` and `delay` measure: tasks of which each picks a random large prime, inserts it into a map
 * that all share, in a critical section, and takes it apart outside.
 */
#ifndef USER_BENCH_SECTIONS_H
#define USER_BENCH_SECTIONS_H

#include "heddle/program.h"
#include "user/bench/histogram.h"

/* How long no task was inside although one waited; and how long a waiting task was the first to wait, while others
 * were inside, one after the other if hand-overs are deferred. Zeroed before its first use; with the lock held. */
struct delays {
	uint64_t left_at;      /* when the last holder left */
	uint64_t first_since;  /* when the last one that had waited got in: then the next was the first */
	uint64_t first_waited; /* the longest, in nanoseconds */
	struct histogram histogram;
};

/* What was measured: is every section counted, and never two tasks inside; and is in the map what was
 * inserted? */
struct sections {
	uint64_t count, duration;
	bool alone, all;
};

/* Run them, by the parameters of locks, and `tasks`, `rounds`, `section`, `size` and `primes` of the program.
 * `delays` may be NULL. False: they could not run; the program has failed. */
bool sections_measure(struct program_run *run, struct sections *sections, struct delays *delays);

/* Print the result line. False: the check failed, and so has the program. */
bool sections_result(struct program_run *run, const struct sections *sections);

#endif
