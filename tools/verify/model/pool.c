/* In place of kernel/pool.c and of the heap: a few objects a pool, a few blocks. Nobody comes to an object
 * that was given back. */
#include "pool.h"

#include <string.h>

#include "explorer.h"

#include "heddle/system.h"
#include "kernel/pool.h"

#ifndef MODEL_POOLS
#	define MODEL_POOLS 4
#endif
#define OBJECTS      6
#define OBJECT_BYTES 128
#define NO_LIMIT     UINT32_MAX

static struct pool_state {
	const char *name;
	size_t object_size;
	unsigned left; /* objects that may be taken still; or NO_LIMIT */
	bool used[OBJECTS];
	_Alignas(16) unsigned char objects[OBJECTS][OBJECT_BYTES];
} pools[MODEL_POOLS];
static unsigned pools_made;

#define BLOCKS      2
#define BLOCK_BYTES 256

static struct block {
	_Alignas(64) unsigned char bytes[BLOCK_BYTES];
	bool used;
} blocks[BLOCKS];

void pool_create(struct pool *pool, const char *name, size_t object_size,
                 bool (*prepare)(struct pool *, struct pool_object *))
{
	(void)prepare;
	if (pools_made == MODEL_POOLS || object_size > OBJECT_BYTES)
		explore_fail("the model's pools are too few or too small for %s", name);
	pool->state = &pools[pools_made++];
	pool->state->name = name;
	pool->state->object_size = object_size;
	pool->state->left = NO_LIMIT;
	for (unsigned i = 0; i < OBJECTS; i++)
		explore_name(pool->state->objects[i], object_size, "%.*s%u", (int)strlen(name) - 1, name, i);
}

void model_pool_limit(const char *name, unsigned objects)
{
	for (unsigned i = 0; i < pools_made; i++)
		if (strcmp(pools[i].name, name) == 0)
			pools[i].left = objects;
}

struct pool_object *pool_take(struct pool *pool)
{
	if (pool->state->left == 0) {
		explore_note("-- there are no %s", pool->state->name);
		return NULL;
	}
	for (unsigned i = 0; i < OBJECTS; i++)
		if (!pool->state->used[i]) {
			pool->state->used[i] = true;
			pool->state->left -= pool->state->left != NO_LIMIT;
			explore_free(pool->state->objects[i], 0);
			memset(pool->state->objects[i], 0, OBJECT_BYTES);
			((struct pool_object *)pool->state->objects[i])->number = i;
			return (struct pool_object *)pool->state->objects[i];
		}
	explore_fail("a pool of the model is empty");
}

struct pool_object *pool_at(const struct pool *pool, uint32_t number)
{
	return (struct pool_object *)pool->state->objects[number];
}

void pool_give(struct pool *pool, struct pool_object *object)
{
	size_t number = (size_t)((unsigned char(*)[OBJECT_BYTES])object - pool->state->objects);
	if (!pool->state->used[number])
		explore_fail("%s is given back twice", explore_name_of((uintptr_t)object));
	pool->state->used[number] = false;
	pool->state->left += pool->state->left != NO_LIMIT;
	explore_note("-- %s is given back", explore_name_of((uintptr_t)object));
	memset(object, 0, OBJECT_BYTES);
	explore_free(object, pool->state->object_size);
}

void *heddle_allocate(size_t bytes)
{
	for (unsigned i = 0; i < BLOCKS; i++)
		if (!blocks[i].used && bytes <= BLOCK_BYTES) {
			blocks[i].used = true;
			return blocks[i].bytes;
		}
	explore_fail("the model's blocks are too few or too small for %zu bytes", bytes);
}

void heddle_free(void *memory, size_t bytes)
{
	struct block *block = memory;
	memset(memory, 0, bytes);
	block->used = false;
}

unsigned model_pool_used(void)
{
	unsigned used = 0;
	for (unsigned i = 0; i < BLOCKS; i++)
		used += blocks[i].used;
	for (unsigned i = 0; i < pools_made; i++)
		for (unsigned j = 0; j < OBJECTS; j++)
			used += pools[i].used[j];
	return used;
}
