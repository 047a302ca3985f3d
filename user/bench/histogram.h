/*
 * A histogram of numbers: its buckets are at most a thirty-second of their numbers wide. It also keeps the largest
 * number itself. One task at a time.
 */
#ifndef USER_BENCH_HISTOGRAM_H
#define USER_BENCH_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_FRACTION 32
#define HISTOGRAM_BUCKETS  (60 * HISTOGRAM_FRACTION)

/* Zeroed before its first use. */
struct histogram {
	uint64_t buckets[HISTOGRAM_BUCKETS];
	uint64_t count, largest;
};

void histogram_add(struct histogram *histogram, uint64_t number);

/* A number that is not exceeded by `part` of `whole` of the numbers: the upper end of its bucket, but at most the
 * largest number. 0 if there are none. */
uint64_t histogram_quantile(const struct histogram *histogram, uint64_t part, uint64_t whole);

#endif
