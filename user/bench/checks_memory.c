/*
 * Workloads of `checks` that go through memory: sieve, hash, sort and list.
 */
#include "user/bench/checks.h"

/* sieve: the primes up to a limit, in loops of very few instructions. */
#define SIEVE_LIMIT 400000

struct sieve_memory {
	uint32_t limit;
	uint8_t composite[SIEVE_LIMIT + 1];
};
WORKLOAD_FITS(sieve_memory);

static void sieve_prepare(void *memory)
{
	struct sieve_memory *sieve = memory;
	sieve->limit = SIEVE_LIMIT;
}

static uint64_t sieve_round(void *memory)
{
	struct sieve_memory *sieve = memory;
	uint64_t primes = 0;
	for (uint32_t number = 0; number <= sieve->limit; number++)
		sieve->composite[number] = 0;
	for (uint32_t number = 2; number <= sieve->limit; number++) {
		if (sieve->composite[number])
			continue;
		primes++;
		for (uint64_t multiple = (uint64_t)number * number; multiple <= sieve->limit; multiple += number)
			sieve->composite[multiple] = 1;
	}
	return primes;
}

const struct workload workload_sieve = {"sieve", sieve_prepare, sieve_round, SIEVE_LIMIT, 33860};

/* hash: a table with open addressing, half full; insert keys, then look up twice as many. */
#define HASH_PLACES 65536 /* a power of two */
#define HASH_KEYS   32768

struct hash_place {
	uint32_t key, value; /* key 0: free */
};

struct hash_memory {
	struct hash_place places[HASH_PLACES];
};
WORKLOAD_FITS(hash_memory);

/* The place of a key, or the free place where it belongs. */
static struct hash_place *hash_find(struct hash_memory *hash, uint32_t key)
{
	size_t place = key * 0x9e3779b1u % HASH_PLACES;
	while (hash->places[place].key && hash->places[place].key != key)
		place = (place + 1) % HASH_PLACES;
	return &hash->places[place];
}

static uint64_t hash_round(void *memory)
{
	struct hash_memory *hash = memory;
	uint64_t state = 1, checksum = 0;
	for (size_t place = 0; place < HASH_PLACES; place++)
		hash->places[place].key = 0;
	for (uint32_t i = 0; i < HASH_KEYS; i++) {
		uint32_t key = random_next(&state) | 1;
		*hash_find(hash, key) = (struct hash_place){key, i};
	}
	state = 1;
	for (uint32_t i = 0; i < 2 * HASH_KEYS; i++) { /* the first half is there */
		const struct hash_place *place = hash_find(hash, random_next(&state) | 1);
		checksum = checksum_add(checksum, place->key ? place->value : i);
	}
	return checksum;
}

const struct workload workload_hash = {"hash", NULL, hash_round, (uint64_t)3 * HASH_KEYS,
                                       3603259392417981922u};

/* sort: quicksort, recursive on the smaller part only, so the stack stays shallow. */
#define SORT_KEYS 16384

struct sort_memory {
	uint32_t keys[SORT_KEYS];
};
WORKLOAD_FITS(sort_memory);

static size_t sort_split(uint32_t *keys, size_t count)
{
	uint32_t middle = keys[(count - 1) / 2];
	size_t low = 0, high = count - 1;
	for (;;) {
		while (keys[low] < middle)
			low++;
		while (keys[high] > middle)
			high--;
		if (low >= high)
			return high + 1;
		uint32_t key = keys[low];
		keys[low++] = keys[high];
		keys[high--] = key;
	}
}

static void sort_keys(uint32_t *keys, size_t count)
{
	while (count > 1) {
		size_t split = sort_split(keys, count);
		if (split < count - split) {
			sort_keys(keys, split);
			keys += split;
			count -= split;
		} else {
			sort_keys(keys + split, count - split);
			count = split;
		}
	}
}

static uint64_t sort_round(void *memory)
{
	struct sort_memory *sort = memory;
	uint64_t state = 1, checksum = 0;
	for (size_t i = 0; i < SORT_KEYS; i++)
		sort->keys[i] = random_next(&state);
	sort_keys(sort->keys, SORT_KEYS);
	for (size_t i = 0; i < SORT_KEYS; i++)
		checksum = checksum_add(checksum, sort->keys[i]);
	return checksum;
}

const struct workload workload_sort = {"sort", NULL, sort_round, SORT_KEYS, 12756271341262196882u};

/* list: follow a circle of nodes in random order, again and again. */
#define LIST_NODES 8192
#define LIST_TURNS 16

struct list_node {
	struct list_node *next;
	uint64_t value, padding[6]; /* a cache line each */
};

static void list_prepare(void *memory)
{
	struct list_node *nodes = memory;
	uint64_t state = 1;
	for (size_t i = 0; i < LIST_NODES; i++)
		nodes[i].value = i;
	for (size_t i = LIST_NODES - 1; i > 0; i--) {
		size_t other = random_next(&state) % (i + 1);
		uint64_t value = nodes[i].value;
		nodes[i].value = nodes[other].value;
		nodes[other].value = value;
	}
	for (size_t i = 0; i < LIST_NODES; i++)
		nodes[nodes[i].value].next = &nodes[nodes[(i + 1) % LIST_NODES].value];
}

static uint64_t list_round(void *memory)
{
	const struct list_node *first = memory, *node = first;
	uint64_t checksum = 0, turns = 0;
	do {
		checksum = checksum_add(checksum, node->value);
		node = node->next;
		turns += node == first;
	} while (turns < LIST_TURNS);
	return checksum;
}

const struct workload workload_list = {"list", list_prepare, list_round, (uint64_t)LIST_NODES *LIST_TURNS,
                                       10324477147224878496u};
