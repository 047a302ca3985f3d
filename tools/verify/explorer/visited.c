#include "visited.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct visited_state *table;
static size_t length, count;

static struct visited_state *place_of(uint64_t key)
{
	size_t place = key & (length - 1);
	while (table[place].key && table[place].key != key)
		place = (place + 1) & (length - 1);
	return &table[place];
}

/* Each look goes to another page: large ones save most misses of the translations. */
static struct visited_state *table_create(size_t states)
{
	size_t bytes = states * sizeof *table;
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		fprintf(stderr, "out of memory for %zu states: make the case smaller\n", count);
		exit(2);
	}
	madvise(memory, bytes, MADV_HUGEPAGE);
	return memory;
}

static void table_delete(struct visited_state *old, size_t states)
{
	if (old)
		munmap(old, states * sizeof *old);
}

static void grow(void)
{
	struct visited_state *old = table;
	size_t old_length = length;
	length = length ? 2 * length : 4096;
	table = table_create(length);
	for (size_t i = 0; i < old_length; i++)
		if (old[i].key)
			*place_of(old[i].key) = old[i];
	table_delete(old, old_length);
}

void visited_clear(void)
{
	table_delete(table, length);
	table = NULL;
	length = count = 0;
}

size_t visited_count(void)
{
	return count;
}

struct visited_state *visited_find(uint64_t key, bool *is_new)
{
	if (2 * count >= length)
		grow();
	key += key == 0;
	struct visited_state *state = place_of(key);
	*is_new = state->key == 0;
	if (*is_new) {
		state->key = key;
		count++;
	}
	return state;
}
