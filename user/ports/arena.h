/*
 * Memory of one task for a program that was not written for Heddle: blocks of any size, which are all freed at once.
 *
 * An arena belongs to one task at a time: nothing in it is shared, so nothing is locked. A block takes the next power
 * of two; a freed block is kept for the next one of its size.
 */
#ifndef USER_PORTS_ARENA_H
#define USER_PORTS_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#define ARENA_CLASSES 27 /* blocks of 16 << 0 to 16 << 26, which is 1 GiB */

struct arena_chunk;
struct arena_block;

/* All zero is an empty arena. */
struct arena {
	struct arena_chunk *chunks;
	unsigned char *rest; /* of the newest chunk for small blocks */
	size_t rest_bytes;
	struct arena_block *free[ARENA_CLASSES];
};

/* A block of at least `bytes`, aligned to 16 bytes. NULL: no memory, or the size is 0 or more than 1 GiB. */
void *arena_allocate(struct arena *arena, size_t bytes);

/* Free a block; `bytes` is what was asked for. NULL is allowed. */
void arena_free(struct arena *arena, void *block, size_t bytes);

/* Give all memory back to the machine. The arena is empty afterwards. */
void arena_end(struct arena *arena);

#endif
