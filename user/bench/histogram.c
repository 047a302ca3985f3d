#include "user/bench/histogram.h"

/* Numbers below HISTOGRAM_FRACTION have a bucket each. Larger ones with the same highest bit share HISTOGRAM_FRACTION
 * buckets, by the bits that follow it. */
static unsigned bucket_of(uint64_t number)
{
	if (number < HISTOGRAM_FRACTION)
		return (unsigned)number;
	unsigned shift = 63 - (unsigned)__builtin_clzll(number / HISTOGRAM_FRACTION);
	return shift * HISTOGRAM_FRACTION + (unsigned)(number >> shift);
}

/* The largest number in the bucket. */
static uint64_t bucket_end(unsigned bucket)
{
	if (bucket < HISTOGRAM_FRACTION)
		return bucket;
	unsigned shift = bucket / HISTOGRAM_FRACTION - 1;
	uint64_t next = bucket % HISTOGRAM_FRACTION + HISTOGRAM_FRACTION + 1;
	return (next << shift) - 1; /* for the last bucket 2^64 - 1 */
}

void histogram_add(struct histogram *histogram, uint64_t number)
{
	histogram->buckets[bucket_of(number)]++;
	histogram->count++;
	if (number > histogram->largest)
		histogram->largest = number;
}

uint64_t histogram_quantile(const struct histogram *histogram, uint64_t part, uint64_t whole)
{
	uint64_t wanted = (histogram->count * part + whole - 1) / whole, seen = 0;
	for (unsigned bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
		seen += histogram->buckets[bucket];
		if (seen && seen >= wanted)
			return bucket_end(bucket) < histogram->largest ? bucket_end(bucket) : histogram->largest;
	}
	return 0;
}
