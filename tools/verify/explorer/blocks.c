#include "blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "machine_internal.h"

#define GROUP  (16 * BLOCK) /* compared at once */
#define BLOCKS ((MEMORY_MAXIMUM + EXPLORE_STACKS * STACK_SIZE) / BLOCK)

/* What a block was. */
struct change {
	unsigned char *place;
	unsigned block;
	uint64_t hash;
	size_t size;
	unsigned char bytes[BLOCK];
};

static unsigned char copies[BLOCKS][BLOCK];
static uint64_t hashes[BLOCKS]; /* of the copies; of zeros 0 */
static uint64_t sum;            /* of all hashes */

static struct change *log;
static size_t logged, room;

static void log_add(const struct change *change)
{
	if (logged == room) {
		room = room ? 2 * room : 1024;
		log = realloc(log, room * sizeof *log);
		if (!log) {
			fprintf(stderr, "out of memory for a path with %zu changes: make the case smaller\n", logged);
			exit(2);
		}
	}
	log[logged++] = *change;
}

static uint64_t hash_of(unsigned block)
{
	static const unsigned char zeros[BLOCK];
	return memcmp(copies[block], zeros, BLOCK) == 0 ? 0 : hash_words(block + 1, copies[block], BLOCK);
}

static void block_change(unsigned block, unsigned char *place, size_t size)
{
	struct change change = {.place = place, .block = block, .hash = hashes[block], .size = size};
	memcpy(change.bytes, copies[block], size);
	log_add(&change);
	memcpy(copies[block], place, size);
	sum -= hashes[block];
	hashes[block] = hash_of(block);
	sum += hashes[block];
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void blocks_compare(unsigned first, unsigned char *bytes, size_t size)
{
	for (size_t at = 0; at < size; at += GROUP) {
		size_t end = least(at + GROUP, size);
		if (memcmp(copies[first + at / BLOCK], bytes + at, end - at) == 0)
			continue;
		for (size_t i = at; i < end; i += BLOCK) {
			unsigned block = first + (unsigned)(i / BLOCK);
			if (memcmp(copies[block], bytes + i, least(BLOCK, end - i)) != 0)
				block_change(block, bytes + i, least(BLOCK, end - i));
		}
	}
}

uint64_t blocks_hash(void)
{
	return sum;
}

const void *blocks_last(void)
{
	const struct change *change = &log[logged - 1];
	size_t i = 0;
	while (change->place[i] == change->bytes[i])
		i++;
	return change->place + i;
}

size_t blocks_logged(void)
{
	return logged;
}

void blocks_take_back(size_t wanted)
{
	while (logged > wanted) {
		const struct change *change = &log[--logged];
		unsigned block = change->block;
		memcpy(change->place, change->bytes, change->size);
		memcpy(copies[block], change->bytes, change->size);
		sum += change->hash - hashes[block];
		hashes[block] = change->hash;
	}
}

void blocks_forget(void)
{
	logged = 0;
}
