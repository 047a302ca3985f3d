/*
 * A map from numbers to numbers: a table of fixed size with open addressing. It knows nothing of tasks: either one
 * inserts at a time, or several look up.
 */
#ifndef USER_BENCH_MAP_H
#define USER_BENCH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_entry {
	uint64_t key; /* 0: free */
	uint64_t value;
	uint64_t inserts; /* how often the key was inserted */
};

struct map {
	struct map_entry *entries;
	size_t size; /* a power of two, at least twice the number of keys */
};

/* Make it with room for `keys` keys. False: no memory. */
bool map_create(struct map *map, size_t keys);
void map_destroy(struct map *map);

/* The key is not 0. There must be room for it. */
void map_insert(struct map *map, uint64_t key, uint64_t value);

/* NULL: the key was not inserted. */
const struct map_entry *map_find(const struct map *map, uint64_t key);

/* Whether each value equals its key, there were that many inserts, and the inserted keys have this sum. */
bool map_has(const struct map *map, uint64_t inserts, uint64_t sum);

#endif
