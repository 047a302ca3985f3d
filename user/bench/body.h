/*
 * The bodies of `client`'s responses: each object is a window into one pattern of bytes. The peers
 * (tools/measure/peers/) use this, too, so that all do the same work; it is C and C++.
 */
#ifndef USER_BENCH_BODY_H
#define USER_BENCH_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BODY_OBJECTS 16
#define BODY_SHIFT   64 /* from the window of one object to that of the next, bytes */
#define BODY_EXTRA   (BODY_OBJECTS * BODY_SHIFT) /* by how much the pattern is longer than an object */

/* From one sampled byte to the next: they are in different sets of the cache. */
#define BODY_STEP (16384 + 64)

static inline char body_byte(uint64_t object, uint64_t offset)
{
	return (char)((object * BODY_SHIFT + offset) * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* The pattern for objects of `size` bytes has size + BODY_EXTRA. */
static inline void body_fill(char *pattern, uint64_t size)
{
	for (uint64_t offset = 0; offset < size + BODY_EXTRA; offset++)
		pattern[offset] = body_byte(0, offset);
}

static inline const char *body_of(const char *pattern, uint64_t object)
{
	return pattern + object * BODY_SHIFT;
}

/* Checks a body that arrives in pieces of any size. */
struct body_check {
	uint64_t offset; /* of the next byte */
	uint64_t sample; /* of the next byte to sample */
	uint64_t sum;    /* of the sampled bytes */
};

/* The checksum covers one byte in BODY_STEP. */
static inline void body_sample(struct body_check *check, const char *bytes, uint64_t size)
{
	for (; check->sample < check->offset + size; check->sample += BODY_STEP)
		check->sum = check->sum * 31 + (unsigned char)bytes[check->sample - check->offset];
	check->offset += size;
}

static inline uint64_t body_sum(const char *body, uint64_t size)
{
	struct body_check check = {0, 0, 0};
	body_sample(&check, body, size);
	return check.sum;
}

/* The checksums of all objects, which are stored with them. */
static inline void body_sums(const char *pattern, uint64_t size, uint64_t *sums)
{
	for (uint64_t object = 0; object < BODY_OBJECTS; object++)
		sums[object] = body_sum(body_of(pattern, object), size);
}

/* Whether every byte is the object's. */
static inline bool body_is_whole(uint64_t object, uint64_t offset, const char *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		if (bytes[i] != body_byte(object, offset + i))
			return false;
	return true;
}

#endif
