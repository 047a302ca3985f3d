/*
 * What the benchmarks of the exchange paper have their tasks do (Figure 8): insert a random large prime into
 * a map that all share, inside a critical section, and take the prime apart outside.
 */
#ifndef USER_BENCH_WORK_H
#define USER_BENCH_WORK_H

#include "heddle/program.h"
#include "user/bench/map.h"
#include "user/bench/random.h"
#include "user/bench/sieve.h"

/* Made from the parameters `section`, `outside`, `size` and `primes` of the program. */
struct work {
	struct primes primes;
	struct map map;
	uint64_t section; /* nanoseconds that a section takes at the least */
	uint64_t outside; /* how many times a number is factorized outside */
};

/* False: no memory; the program has failed. */
bool work_create(struct work *work, struct program_run *run);
void work_destroy(struct work *work);

static inline uint32_t work_pick(const struct work *work, struct random *random)
{
	return work->primes.numbers[random_below(random, work->primes.count)];
}

/* Be busy for so many nanoseconds. */
static inline void work_linger(uint64_t nanoseconds)
{
	uint64_t start = nanoseconds ? heddle_clock() : 0;
	while (nanoseconds && heddle_clock() - start < nanoseconds)
		;
}

/* The part outside: work, not time that passes while others work, too. Returns how many factors there are. */
static inline unsigned work_factors(const struct work *work, uint32_t prime)
{
	unsigned factors = 0;
	for (uint64_t i = 0; i < work->outside; i++)
		factors = factors_count(prime);
	return factors;
}

/* The part inside the section. */
static inline void work_insert(struct work *work, uint32_t prime)
{
	map_insert(&work->map, prime, prime);
	work_linger(work->section);
}

#endif
