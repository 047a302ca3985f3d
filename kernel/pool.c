#include "kernel/pool.h"

#include <string.h>

#include "kernel/colour.h"
#include "kernel/failure.h"
#include "kernel/memory.h"
#include "kernel/panic.h"
#include "kernel/pool_state.h"

#define SLAB_BYTES       ((size_t)65536)
#define SLAB_BYTES_SMALL ((size_t)16384) /* on machines with less memory than */
#define SMALL_MEMORY     ((uint64_t)256 << 20)

/* pool_set_weight() says how much memory an object holds; without it, this much, as a small stack. */
#define WEIGHT_ASSUMED ((size_t)16384)
#define WEIGHT_HEAVY   ((size_t)2 << 20) /* it keeps one of anything that holds no more than this */

#define POOL_NONE FREE_LIST_NONE

static _Atomic(struct pool_state *) newest; /* pools are never removed */

/* ------------------------------------------------------------------------------ numbers to addresses -- */

/* Block 0 begins with slab 0, block k with slab (2^k - 1) * DIRECTORY_FIRST. */
static unsigned directory_block_of(uint32_t slab_number)
{
	return 31 - (unsigned)__builtin_clz(slab_number / DIRECTORY_FIRST + 1);
}

static uint32_t directory_block_start(unsigned block)
{
	return (((uint32_t)1 << block) - 1) * DIRECTORY_FIRST;
}

static struct slab *slab_at(const struct pool_state *state, uint32_t slab_number)
{
	unsigned block = directory_block_of(slab_number);
	/* acquire: pairs with the release in directory_extend. */
	struct slab *slabs = atomic_load_explicit(&state->directory[block], memory_order_acquire);
	return &slabs[slab_number - directory_block_start(block)];
}

static struct pool_object *object_at(const struct pool_state *state, uint32_t number)
{
	const struct slab *slab = slab_at(state, number >> state->place_bits);
	uint32_t place = number & (((uint32_t)1 << state->place_bits) - 1);
	/* relaxed: the number comes from the object itself, so what handed the object over (the list of chains, or the
	 * lock that it waits at) has already ordered this. */
	char *memory = atomic_load_explicit(&slab->memory, memory_order_relaxed);
	return (struct pool_object *)(memory + place * state->spacing);
}

struct pool_object *pool_at(const struct pool *pool, uint32_t number)
{
	return object_at(pool->state, number);
}

/* Make sure that the directory has the block for a slab. */
static bool directory_extend(struct pool_state *state, uint32_t slab_number)
{
	unsigned block = directory_block_of(slab_number);
	size_t bytes = (sizeof(struct slab) * DIRECTORY_FIRST) << block;
	struct slab *expected = NULL;

	if (block >= DIRECTORY_BLOCKS)
		return false;
	if (atomic_load_explicit(&state->directory[block], memory_order_relaxed))
		return true;
	struct slab *slabs = memory_allocate(bytes, MEMORY_ANY_NODE);
	if (!slabs)
		return false;
	memset(slabs, 0, bytes);
	/* NULL -> slabs; release: pairs with the acquire in slab_at. Fails if another processor was faster. */
	if (!atomic_compare_exchange_strong_explicit(&state->directory[block], &expected, slabs,
	                                             memory_order_release, memory_order_relaxed))
		memory_free(slabs, bytes);
	return true;
}

/* --------------------------------------------------------------------------------------- new objects -- */

static bool slab_claim_number(struct pool_state *state, uint32_t *slab_number)
{
	uint32_t number = atomic_load_explicit(&state->slab_count, memory_order_relaxed);
	do {
		if (number >= POOL_NONE >> state->place_bits || !directory_extend(state, number))
			return false;
		/* number -> number + 1; release: the directory, pairs with the acquire in pool_visit. */
	} while (!atomic_compare_exchange_weak_explicit(&state->slab_count, &number, number + 1,
	                                                memory_order_release, memory_order_relaxed));
	*slab_number = number;
	return true;
}

/* Place the first objects of slabs in different sets of the cache, as far as the unused rest of a slab allows. */
static size_t slab_colour(const struct pool_state *state, uint32_t slab_number)
{
	size_t left_over = state->slab_bytes - state->slab_objects * state->spacing;
	return command_line.colour ? colour_offset(slab_number, left_over / CACHE_LINE + 1) : 0;
}

static bool slab_create(struct pool_state *state, struct pool_magazine *magazine)
{
	char *memory = memory_allocate(state->slab_bytes, MEMORY_ANY_NODE);
	if (!memory)
		return false;
	if (!slab_claim_number(state, &magazine->slab_number)) {
		memory_free(memory, state->slab_bytes);
		return false;
	}
	magazine->slab = slab_at(state, magazine->slab_number);
	memory += slab_colour(state, magazine->slab_number);
	atomic_store_explicit(&magazine->slab->memory, memory, memory_order_relaxed);
	return true;
}

/* An object that was never used. If it cannot be prepared, it is made again next time. */
static struct pool_object *object_make(struct pool *pool, struct pool_magazine *magazine)
{
	struct pool_state *state = pool->state;
	uint32_t made = state->slab_objects;

	if (magazine->slab)
		made = atomic_load_explicit(&magazine->slab->made, memory_order_relaxed);
	if (made == state->slab_objects) {
		if (!slab_create(state, magazine))
			return NULL;
		made = 0;
	}
	char *memory = atomic_load_explicit(&magazine->slab->memory, memory_order_relaxed);
	struct pool_object *object = memset(memory + made * state->spacing, 0, state->spacing);
	object->number = magazine->slab_number << state->place_bits | made;
	if (pool->prepare && !pool->prepare(pool, object))
		return NULL;
	/* release: the object and the slab's address, pairs with the acquire in pool_visit. */
	atomic_store_explicit(&magazine->slab->made, made + 1, memory_order_release);
	return object;
}

/* ----------------------------------------------------------------------------------------- magazines -- */

static _Atomic uint32_t *chain_link(void *owner, uint32_t number)
{
	return &object_at(owner, number)->next_chain;
}

static struct pool_object **chain_room(const struct pool_state *state, struct pool_object *first)
{
	return (struct pool_object **)((char *)first + state->room);
}

static void chain_link_up(struct pool_object **objects, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		atomic_store_explicit(&objects[i]->next, i + 1 < count ? objects[i + 1]->number : POOL_NONE,
		                      memory_order_relaxed);
}

static void pool_chain_push(struct pool_state *state, struct pool_object **objects, uint32_t count)
{
	if (state->room)
		memcpy(chain_room(state, objects[0]), objects + 1, (count - 1) * sizeof(*objects));
	else
		chain_link_up(objects, count);
	objects[0]->chain_length = count;
	atomic_fetch_add_explicit(&state->chained, count, memory_order_relaxed);
	free_list_push(&state->chains, chain_link, state, objects[0]->number);
}

/* Make a chain of the older half of a full magazine: that half is less likely to be in this processor's cache. */
static void magazine_spill(struct pool_state *state, struct pool_magazine *magazine)
{
	struct pool_object **objects = magazine->objects;
	uint32_t left = state->capacity - state->batch;
	pool_chain_push(state, objects, state->batch);
	memmove(objects, objects + state->batch, left * sizeof(*objects));
	atomic_store_explicit(&magazine->count, left, memory_order_relaxed);
}

/* Write the addresses of a chain's objects to `objects`, in its order. */
static void chain_copy(struct pool_state *state, struct pool_object *first, struct pool_object **objects)
{
	objects[0] = first;
	if (state->room) {
		memcpy(objects + 1, chain_room(state, first), (first->chain_length - 1) * sizeof(first));
		return;
	}
	for (uint32_t i = 1; i < first->chain_length; i++)
		objects[i] = object_at(state, atomic_load_explicit(&objects[i - 1]->next, memory_order_relaxed));
}

/* Returns how many objects the magazine, which was empty, has now. */
static uint32_t magazine_fill(struct pool_state *state, struct pool_magazine *magazine)
{
	uint32_t number = free_list_pop(&state->chains, chain_link, state);
	if (number == POOL_NONE)
		return 0;
	struct pool_object *first = object_at(state, number);
	uint32_t count = first->chain_length;
	chain_copy(state, first, magazine->objects);
	atomic_fetch_sub_explicit(&state->chained, count, memory_order_relaxed);
	return count;
}

/* The rare paths may need more stack than every task has: they run as errands. */
struct pool_errand {
	struct pool *pool;
	struct pool_magazine *magazine;
	struct pool_object *object;
};

static void magazine_take(void *argument)
{
	struct pool_errand *errand = argument;
	struct pool_magazine *magazine = errand->magazine;
	if (failure_is_wanted() && failure_comes(errand->pool->name))
		return;
	magazine_set_count(magazine, magazine_fill(errand->pool->state, magazine));
	errand->object = magazine_take_newest(magazine);
	if (!errand->object)
		errand->object = object_make(errand->pool, magazine);
}

static void magazine_give(void *argument)
{
	struct pool_errand *errand = argument;
	struct pool_state *state = errand->pool->state;
	if (state->capacity == 0) {
		pool_chain_push(state, &errand->object, 1);
		return;
	}
	magazine_spill(state, errand->magazine);
	magazine_put_newest(errand->magazine, errand->object);
}

__attribute__((noinline)) static struct pool_object *pool_errand_run(void (*function)(void *),
                                                                     struct pool *pool,
                                                                     struct pool_magazine *magazine,
                                                                     struct pool_object *object)
{
	struct pool_errand errand = {pool, magazine, object};
	arch_call_on_processor_stack(function, &errand);
	return errand.object;
}

struct pool_object *pool_take(struct pool *pool)
{
	struct pool_object *object = pool_take_at_hand(pool);
	return __builtin_expect(object != NULL, 1)
	           ? object
	           : pool_errand_run(magazine_take, pool, pool_magazine(pool), NULL);
}

void pool_give(struct pool *pool, struct pool_object *object)
{
	ASSERT(object_at(pool->state, object->number) == object);
	if (__builtin_expect(!pool_give_at_hand(pool, object), 0))
		pool_errand_run(magazine_give, pool, pool_magazine(pool), object);
}

/* ----------------------------------------------------------------------------------------------- all -- */

void pool_start(void)
{
	atomic_store_explicit(&newest, NULL, memory_order_relaxed);
}

STACK_ENTRY(pool_create)
void pool_create(struct pool *pool, const char *name, size_t object_size,
                 bool (*prepare)(struct pool *, struct pool_object *))
{
	size_t bytes = sizeof(struct pool_state) + processor_count * sizeof(struct pool_magazine);
	struct pool_state *state = memory_allocate(bytes, MEMORY_ANY_NODE);
	if (!state)
		memory_exhausted(bytes, name);
	memset(state, 0, bytes);
	state->spacing = (object_size + 15) & ~(size_t)15;
	state->slab_bytes = memory_count(MEMORY_ANY_NODE).total < SMALL_MEMORY ? SLAB_BYTES_SMALL : SLAB_BYTES;
	while (state->slab_bytes < state->spacing)
		state->slab_bytes *= 2;
	state->slab_objects = (uint32_t)(state->slab_bytes / state->spacing);
	while ((uint32_t)1 << state->place_bits < state->slab_objects)
		state->place_bits++;
	free_list_create(&state->chains);
	*pool = (struct pool){.name = name,
	                      .object_size = object_size,
	                      .prepare = prepare,
	                      .state = state,
	                      .magazines = state->magazines};
	pool_set_weight(pool, state->spacing);
	state->older = atomic_load_explicit(&newest, memory_order_relaxed);
	/* older -> this; release: what it is, pairs with pool_total. */
	while (!atomic_compare_exchange_weak_explicit(&newest, &state->older, state, memory_order_release,
	                                              memory_order_relaxed))
		continue;
}

void pool_set_weight(struct pool *pool, size_t bytes)
{
	struct pool_state *state = pool->state;
	state->prepared = bytes - state->spacing;
	uint64_t kept = memory_count(MEMORY_ANY_NODE).total / processor_count / POOL_KEPT_PART;
	uint64_t capacity = kept / (bytes > WEIGHT_ASSUMED ? bytes : WEIGHT_ASSUMED);

	if (capacity < 1 && bytes <= WEIGHT_HEAVY)
		capacity = 1;
	if (capacity > 2 * POOL_BATCH)
		capacity = 2 * POOL_BATCH;
	if (failure_is_wanted())
		capacity = 0;
	state->capacity = (uint32_t)capacity;
	state->batch = (state->capacity + 1) / 2;
	for (unsigned i = 0; i < processor_count; i++)
		state->magazines[i].capacity = state->capacity;
}

void pool_set_room(struct pool *pool, size_t distance)
{
	ASSERT(distance + POOL_ROOM <= pool->object_size);
	pool->state->room = distance;
}

static struct pool_count pool_count_of(const struct pool_state *state)
{
	struct pool_count count = {0};
	uint32_t slabs = atomic_load_explicit(&state->slab_count, memory_order_acquire);

	for (uint32_t i = 0; i < slabs; i++)
		count.objects += atomic_load_explicit(&slab_at(state, i)->made, memory_order_relaxed);
	count.free = atomic_load_explicit(&state->chained, memory_order_relaxed);
	for (unsigned i = 0; i < processor_count; i++)
		count.free += atomic_load_explicit(&state->magazines[i].count, memory_order_relaxed);
	return count;
}

struct pool_count pool_count(const struct pool *pool)
{
	return pool_count_of(pool->state);
}

struct pool_total pool_total(void)
{
	struct pool_total total = {0};
	/* acquire: pairs with the release in pool_create. */
	const struct pool_state *state = atomic_load_explicit(&newest, memory_order_acquire);
	for (; state; state = state->older) {
		struct pool_count count = pool_count_of(state);
		uint64_t slabs = atomic_load_explicit(&state->slab_count, memory_order_relaxed);
		total.used += count.objects - count.free;
		total.bytes += slabs * state->slab_bytes + count.objects * state->prepared;
	}
	return total;
}

void pool_visit(const struct pool *pool, void (*visit)(struct pool_object *object, void *argument),
                void *argument)
{
	const struct pool_state *state = pool->state;
	/* acquire: pairs with the release in slab_claim_number. */
	uint32_t slabs = atomic_load_explicit(&state->slab_count, memory_order_acquire);

	for (uint32_t i = 0; i < slabs; i++) {
		struct slab *slab = slab_at(state, i);
		/* acquire: pairs with the release in object_make. */
		uint32_t made = atomic_load_explicit(&slab->made, memory_order_acquire);
		char *memory = atomic_load_explicit(&slab->memory, memory_order_relaxed);
		for (uint32_t place = 0; place < made; place++)
			visit((struct pool_object *)(memory + place * state->spacing), argument);
	}
}
