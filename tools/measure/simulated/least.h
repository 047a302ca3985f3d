/*
 * How long something takes at least.
 */
#ifndef SIMULATED_LEAST_H
#define SIMULATED_LEAST_H

#include <stdint.h>
#include <time.h>

#define TRIES 25

static inline double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The least time of an operation; the function does `count` of them. */
static inline double least(void (*function)(uint64_t), uint64_t count)
{
	double best = 1e18;
	for (unsigned i = 0; i < TRIES; i++) {
		double start = now();
		function(count);
		double taken = (now() - start) / (double)count;
		best = taken < best ? taken : best;
	}
	return best;
}

#endif
