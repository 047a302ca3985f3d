#include "user/ports/allocate.h"

#include <stddef.h>

#include "errno.h"
#include "stdint.h"
#include "stdlib.h"
#include "string.h"

#include "heddle/task.h"

/* Before each block, because free() is not told the size; 16 bytes, so that blocks are aligned for any type. */
struct header {
	size_t bytes; /* with the header */
	size_t unused;
};

_Static_assert(sizeof(struct header) == 16, "what follows is aligned to 16 bytes");

void allocate_begin(struct arena *arena)
{
	task_local_set(ALLOCATE_SLOT, arena);
}

void *allocate_change(void *block, size_t old_bytes, size_t new_bytes)
{
	struct arena *arena = task_local_get(ALLOCATE_SLOT);
	if (new_bytes == 0) {
		arena_free(arena, block, old_bytes);
		return NULL;
	}
	void *moved = arena_allocate(arena, new_bytes);
	if (moved && block) {
		memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
		arena_free(arena, block, old_bytes);
	}
	return moved;
}

void *malloc(size_t bytes)
{
	struct arena *arena = task_local_get(ALLOCATE_SLOT);
	size_t whole = bytes + sizeof(struct header);
	struct header *header = arena && whole > bytes ? arena_allocate(arena, whole) : NULL;
	if (!header) {
		errno = ENOMEM;
		return NULL;
	}
	header->bytes = whole;
	return header + 1;
}

void *calloc(size_t count, size_t bytes)
{
	if (bytes > 0 && count > SIZE_MAX / bytes) {
		errno = ENOMEM;
		return NULL;
	}
	void *block = malloc(count * bytes);
	return block ? memset(block, 0, count * bytes) : NULL;
}

void free(void *block)
{
	struct arena *arena = task_local_get(ALLOCATE_SLOT);
	struct header *header = block;
	if (header && arena)
		arena_free(arena, header - 1, header[-1].bytes);
}

void *realloc(void *block, size_t bytes)
{
	const struct header *header = block;
	void *larger = malloc(bytes);
	if (!header || !larger)
		return larger;
	size_t old = header[-1].bytes - sizeof(*header);
	memcpy(larger, block, old < bytes ? old : bytes);
	free(block);
	return larger;
}
