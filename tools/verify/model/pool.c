/* Replaces kernel/pool.c and the heap: a few objects per pool, a few blocks. No processor may access a freed
 * object. */
#include "pool.h"

#include <string.h>

#include "explorer.h"

#include "heddle/system.h"
#include "kernel/pool.h"

#ifndef MODEL_POOLS
#	define MODEL_POOLS 4
#endif
#define OBJECTS    6
#define POOL_BYTES 4096 /* of all */
#define NO_LIMIT   UINT32_MAX

static struct pool_state {
	const char *name;
	size_t object_size;
	unsigned left; /* objects that may still be taken; or NO_LIMIT */
	bool used[OBJECTS];
	unsigned char *objects;
} pools[MODEL_POOLS];
static unsigned pools_made;
static _Alignas(16) unsigned char memory[POOL_BYTES];
static size_t memory_used;

#define BLOCKS      2
#define BLOCK_BYTES 256

static struct block {
	_Alignas(64) unsigned char bytes[BLOCK_BYTES];
	bool used;
} blocks[BLOCKS];

static struct pool_object *object_at(const struct pool_state *state, uint32_t number)
{
	return (struct pool_object *)(state->objects + number * state->object_size);
}

void pool_create(struct pool *pool, const char *name, size_t object_size,
                 bool (*prepare)(struct pool *, struct pool_object *))
{
	(void)prepare;
	object_size = (object_size + 15) & ~(size_t)15;
	if (pools_made == MODEL_POOLS || memory_used + OBJECTS * object_size > POOL_BYTES)
		explore_fail("the model's pools are too few or too small for %s", name);
	pool->state = &pools[pools_made++];
	pool->state->name = name;
	pool->state->object_size = object_size;
	pool->state->left = NO_LIMIT;
	pool->state->objects = &memory[memory_used];
	memory_used += OBJECTS * object_size;
	for (unsigned i = 0; i < OBJECTS; i++)
		explore_name(object_at(pool->state, i), object_size, "%.*s%u", (int)strlen(name) - 1, name, i);
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
			struct pool_object *object = object_at(pool->state, i);
			explore_free(object, 0);
			memset(object, 0, pool->state->object_size);
			object->number = i;
			return object;
		}
	explore_fail("a pool of the model is empty");
}

struct pool_object *pool_at(const struct pool *pool, uint32_t number)
{
	return object_at(pool->state, number);
}

void pool_give(struct pool *pool, struct pool_object *object)
{
	size_t number = (size_t)((unsigned char *)object - pool->state->objects) / pool->state->object_size;
	if (!pool->state->used[number])
		explore_fail("%s is given back twice", explore_name_of((uintptr_t)object));
	pool->state->used[number] = false;
	pool->state->left += pool->state->left != NO_LIMIT;
	explore_note("-- %s is given back", explore_name_of((uintptr_t)object));
	memset(object, 0, pool->state->object_size);
	explore_free(object, pool->state->object_size);
}

static unsigned blocks_left = NO_LIMIT;

void model_heap_limit(unsigned left)
{
	blocks_left = left;
}

void *heddle_allocate(size_t bytes)
{
	if (blocks_left == 0) {
		explore_note("-- there is no block");
		return NULL;
	}
	for (unsigned i = 0; i < BLOCKS; i++)
		if (!blocks[i].used && bytes <= BLOCK_BYTES) {
			blocks[i].used = true;
			blocks_left -= blocks_left != NO_LIMIT;
			return blocks[i].bytes;
		}
	explore_fail("the model's blocks are too few or too small for %zu bytes", bytes);
}

void heddle_free(void *memory, size_t bytes)
{
	struct block *block = memory;
	memset(memory, 0, bytes);
	block->used = false;
	blocks_left += blocks_left != NO_LIMIT;
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
