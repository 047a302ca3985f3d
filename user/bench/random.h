/*
 * Random numbers for benchmarks: a separate sequence for each task, the same in each run with the same seed= on the
 * command line.
 */
#ifndef USER_BENCH_RANDOM_H
#define USER_BENCH_RANDOM_H

#include <stdint.h>

#include "heddle/system.h"

struct random {
	uint64_t state;
};

static inline struct random random_start(uint64_t number)
{
	return (struct random){(heddle_seed() + number + 1) * UINT64_C(0x9e3779b97f4a7c15)};
}

/* At least 0 and less than `bound`, which is at most 2^32. */
static inline uint64_t random_below(struct random *random, uint64_t bound)
{
	random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (random->state >> 32) * bound >> 32;
}

#endif
