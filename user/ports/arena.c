#include "user/ports/arena.h"

#include "heddle/system.h"

#define SMALLEST    ((size_t)16)
#define CHUNK_BYTES ((size_t)64 << 10)
#define SMALL_BYTES ((size_t)16 << 10) /* larger blocks have their own chunk */

struct arena_block {
	struct arena_block *next;
};

struct arena_chunk {
	struct arena_chunk *next;
	void *memory;
	size_t bytes;
};

static unsigned class_of(size_t bytes)
{
	unsigned class = 0;
	while (class < ARENA_CLASSES && SMALLEST << class < bytes)
		class ++;
	return class;
}

/* Cut a block off the rest of the newest chunk. */
static void *cut(struct arena *arena, size_t bytes)
{
	if (bytes > arena->rest_bytes)
		return NULL;
	void *block = arena->rest;
	arena->rest += bytes;
	arena->rest_bytes -= bytes;
	return block;
}

static void note(struct arena *arena, struct arena_chunk *chunk, void *memory, size_t bytes)
{
	*chunk = (struct arena_chunk){arena->chunks, memory, bytes};
	arena->chunks = chunk;
}

/* A new chunk to cut from; it begins with its own record. */
static bool add_chunk(struct arena *arena)
{
	unsigned char *memory = heddle_allocate(CHUNK_BYTES);
	if (!memory)
		return false;
	arena->rest = memory;
	arena->rest_bytes = CHUNK_BYTES;
	note(arena, cut(arena, SMALLEST << class_of(sizeof(struct arena_chunk))), memory, CHUNK_BYTES);
	return true;
}

static void *allocate_small(struct arena *arena, size_t bytes)
{
	void *block = cut(arena, bytes);
	return block || !add_chunk(arena) ? block : cut(arena, bytes);
}

static void *allocate_large(struct arena *arena, size_t bytes)
{
	struct arena_chunk *chunk = arena_allocate(arena, sizeof(*chunk));
	void *memory = chunk ? heddle_allocate(bytes) : NULL;
	if (memory)
		note(arena, chunk, memory, bytes);
	else
		arena_free(arena, chunk, sizeof(*chunk));
	return memory;
}

void *arena_allocate(struct arena *arena, size_t bytes)
{
	unsigned class = class_of(bytes);
	if (bytes == 0 || class == ARENA_CLASSES)
		return NULL;
	struct arena_block *block = arena->free[class];
	if (block) {
		arena->free[class] = block->next;
		return block;
	}
	bytes = SMALLEST << class;
	return bytes <= SMALL_BYTES ? allocate_small(arena, bytes) : allocate_large(arena, bytes);
}

void arena_free(struct arena *arena, void *memory, size_t bytes)
{
	struct arena_block *block = memory;
	if (!block)
		return;
	unsigned class = class_of(bytes);
	block->next = arena->free[class];
	arena->free[class] = block;
}

void arena_end(struct arena *arena)
{
	struct arena_chunk *chunk = arena->chunks;
	while (chunk) {
		/* A large block's record is in a chunk of small blocks, which is older: that chunk comes later. */
		struct arena_chunk record = *chunk;
		heddle_free(record.memory, record.bytes);
		chunk = record.next;
	}
	*arena = (struct arena){0};
}
