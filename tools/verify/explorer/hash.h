/* Hashes of states, of 64 bits. */
#ifndef VERIFY_HASH_H
#define VERIFY_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_LANES 8

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Most of an exploration's time is spent here. So there are several hashes, of the words in turn: no multiplication
 * waits for that of the previous word. */
static inline uint64_t hash_words(uint64_t hash, const void *bytes, size_t size)
{
	const uint64_t *words = bytes, *end = words + size / 8;
	uint64_t lanes[HASH_LANES], rest = 0;
	for (unsigned lane = 0; lane < HASH_LANES; lane++)
		lanes[lane] = hash + lane;
	for (; end - words >= HASH_LANES; words += HASH_LANES)
#pragma GCC unroll 8
		for (unsigned lane = 0; lane < HASH_LANES; lane++)
			lanes[lane] = hash_word(lanes[lane], words[lane]);
	for (unsigned lane = 0; lane < HASH_LANES; lane++)
		hash = hash_word(hash, lanes[lane]);
	for (; words < end; words++)
		hash = hash_word(hash, *words);
	memcpy(&rest, end, size % 8);
	return hash_word(hash, rest);
}

#endif
