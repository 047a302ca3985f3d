/*
 * A contest for one lock, as the lock-algorithms paper measures it (section 4, Listing 3): each task locks, does what
 * the benchmark defines, unlocks, and then works alone for a while, with yields. It records how long each lock took;
 * the quantiles are those of that latency.
 *
 * Each task does so for a number of rounds, so the tasks that are still starting and those that are the last belong
 * to what is measured. Or all go on for a time, as in the paper: only locks that are got after the warm-up and before
 * the end count, and of a task that got none, the first one after the end.
 */
#ifndef USER_BENCH_CONTEST_H
#define USER_BENCH_CONTEST_H

#include "heddle/program.h"
#include "user/bench/lock_choice.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"

struct contest {
	/* Set by the benchmark. The section returns whether it succeeded. */
	bool (*section)(void *argument);
	void *argument;
	const char *failure; /* what a failed section means */
	/* The contest's own. */
	uint64_t tasks, rounds, parts, turns, expected;
	struct measure_time time; /* no period: `rounds` says when a task ends */
	struct contestant *contestants;
	uint64_t *latencies; /* tasks times rounds, in nanoseconds: the latest of each task */
	const struct crew *crew;
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

/* The parameters of a contest beside those of its lock and of its section; the numbers are the defaults. */
#define CONTEST_PARAMETERS(TASKS, ROUNDS, PARTS, TURNS)                                                    \
	{"tasks", TASKS, 1, 1000000, "how many tasks"},                                                        \
	    {"rounds", ROUNDS, 1, 1000000,                                                                     \
	     "sections of each task; with milliseconds=, how many of its latest latencies are kept"},          \
	    {"milliseconds", 0, 0, 1000000, "measure for that long, in place of rounds; the paper has 10000"}, \
	    {"warmup", 0, 0, 1000000, "milliseconds before that; the paper has 3000"},                         \
	    {"parts", PARTS, 0, 1000000, "parts of the work between two sections, a yield after each"},        \
	{                                                                                                      \
		"turns", TURNS, 0, 1000000000, "idle turns of such a part"                                         \
	}

/* Outside of the lock a task executes `turns` idle turns `parts` times, with a yield after each part. The program
 * fails unless `is_right` says that the sections left the right result. */
bool contest_run(struct contest *contest, struct program_run *run, bool (*is_right)(const struct contest *));

/* After the end: all sections, whether they count or not. */
uint64_t contest_sections(const struct contest *contest);

#endif
