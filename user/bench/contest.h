/*
 * A contest for one lock, as the lock-algorithms paper measures it (section 4, Listing 3): each task locks,
 * does what the benchmark says, unlocks, and then works alone for a while, with yields. Noted is how long
 * each lock took: the quantiles are those of that latency.
 */
#ifndef USER_BENCH_CONTEST_H
#define USER_BENCH_CONTEST_H

#include "heddle/program.h"
#include "user/bench/lock_choice.h"
#include "user/bench/witness.h"

struct contest {
	/* Set by the benchmark. The section returns whether it went well. */
	bool (*section)(void *argument);
	void *argument;
	const char *failure; /* what it means if one did not */
	/* The contest's own. */
	uint64_t tasks, rounds, parts, turns, expected;
	uint64_t *latencies; /* tasks times rounds, in nanoseconds */
	struct chosen_mutex mutex;
	struct witness witness;
};

/* In place of the paper's no-operations: turns of a loop of three instructions. What it returns is the same
 * each time, and nothing that a compiler could know. */
static inline uint64_t idle_turns(uint64_t turns)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < turns; i++)
		sum = sum >> 1 ^ i;
	return sum;
}

/* With the program's parameters `tasks`, `rounds`, `parts` and `turns`: outside of the lock a task works
 * `parts` times so many idle turns, with a yield after each part. The program fails unless `is_right` says
 * that the sections left what they should. */
bool contest_run(struct contest *contest, struct program_run *run, bool (*is_right)(const struct contest *));

static inline uint64_t contest_sections(const struct contest *contest)
{
	return contest->tasks * contest->rounds;
}

#endif
