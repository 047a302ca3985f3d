/*
 * Large primes, found by the sieve of Eratosthenes, and factorization as work.
 */
#ifndef USER_BENCH_SIEVE_H
#define USER_BENCH_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIEVE_LIMIT 10000000 /* keeps sums of primes and the memory for the sieve in bounds */

struct primes {
	uint32_t *numbers;
	size_t count, room;
};

/* The largest primes up to `limit`: `count`, or all if there are fewer. False: no memory. */
bool primes_create(struct primes *primes, uint32_t limit, size_t count);
void primes_destroy(struct primes *primes);

/* How many prime factors a number has; by dividing, so that it takes longest for a prime: its root, halved.
 */
unsigned factors_count(uint32_t number);

#endif
