/*
 * A contest for one lock, as the lock-algorithms paper measures it (section 4, Listing 3): each task locks, does what
 * the benchmark defines, unlocks, and then works alone for a while, with yields. It records how long each lock took;
 * the quantiles are those of that latency.
 */
#ifndef USER_BENCH_CONTEST_H
#define USER_BENCH_CONTEST_H

#include "heddle/program.h"
#include "user/bench/lock_choice.h"
#include "user/bench/witness.h"

struct contest {
	/* Set by the benchmark. The section returns whether it succeeded. */
	bool (*section)(void *argument);
	void *argument;
	const char *failure; /* what a failed section means */
	/* The contest's own. */
	uint64_t tasks, rounds, parts, turns, expected;
	uint64_t *latencies; /* tasks times rounds, in nanoseconds */
	struct chosen_mutex mutex;
	struct witness witness;
};

/* Instead of the paper's no-operations: iterations of a loop of three instructions. The result is always the same,
 * but no compiler can know it. */
static inline uint64_t idle_turns(uint64_t turns)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < turns; i++)
		sum = sum >> 1 ^ i;
	return sum;
}

/* Uses the program's parameters `tasks`, `rounds`, `parts` and `turns`: outside of the lock a task executes `turns`
 * idle turns `parts` times, with a yield after each part. The program fails unless `is_right` says that the sections
 * left the right result. */
bool contest_run(struct contest *contest, struct program_run *run, bool (*is_right)(const struct contest *));

static inline uint64_t contest_sections(const struct contest *contest)
{
	return contest->tasks * contest->rounds;
}

#endif
