/*
 * Typed pools: objects of one size, which keep their type while the machine runs. So a processor that still reads an
 * object that was given back reads an object of the same type (design: "types stay").
 *
 * Each processor has a magazine of objects of its own. Full and empty magazines go to and come from a lock-free stack
 * per pool as whole chains: one CAS for up to POOL_BATCH objects.
 *
 * | operation | progress                               | takes effect                  |
 * |-----------|----------------------------------------|-------------------------------|
 * | pool_take | lock-free; wait-free from the magazine | at the CAS that takes a chain |
 * | pool_give | lock-free; wait-free to the magazine   | at the CAS that links a chain |
 */
#ifndef KERNEL_POOL_H
#define KERNEL_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"

#define POOL_BATCH 56 /* so the magazines of P processors take less than P KiB */
#define POOL_ROOM  ((POOL_BATCH - 1) * sizeof(void *)) /* what pool_set_room() needs */

/* Other processors cannot use what one caches, so a cache holds at most this part of the processor's share of all
 * memory. */
#define POOL_KEPT_PART 16

/* The first member of every pooled object. Except for `mark` it belongs to the pool even while the object is in use:
 * never overwrite it. */
struct pool_object {
	_Atomic uint32_t next;       /* the object below in its chain, POOL_NONE at the end */
	_Atomic uint32_t next_chain; /* in a chain's first object: the chain below on the stack */
	uint32_t number;             /* of this object in its pool; never changes */
	union {
		uint32_t chain_length; /* in a chain's first object */
		uint32_t mark;         /* its user's, while the object is in use */
	};
};

/* What one processor caches. */
struct pool_magazine {
	_Atomic uint32_t count; /* written by the owner only */
	uint32_t capacity;      /* at most 2 * POOL_BATCH; 0: processors cache no objects */
	struct pool_object *objects[2 * POOL_BATCH];
	struct slab *slab; /* where new objects are made; NULL: none yet */
	uint32_t slab_number;
} __attribute__((aligned(CACHE_LINE)));

struct pool {
	const char *name;
	size_t object_size;
	/* Prepares an object before its first use; false: no memory, so the object is not handed out and will be prepared
	 * again next time. May be NULL. */
	bool (*prepare)(struct pool *pool, struct pool_object *object);
	struct pool_state *state;        /* pool.c */
	struct pool_magazine *magazines; /* by processor */
};

/* Forget the pools of an earlier machine in this process. Before the first pool. */
void pool_start(void);

/* Make a pool. Boot processor only, after memory_start() and arch_processors_start() (the number of
 * processors is then known). Objects are aligned to 64 bytes if their size is a multiple of 64, else to 16.
 */
void pool_create(struct pool *pool, const char *name, size_t object_size,
                 bool (*prepare)(struct pool *, struct pool_object *));

/* Say how much memory an object holds, its own and what prepare() gets for it: each processor caches fewer of the
 * heavier ones, and none of those that hold more than its share of the memory. Between pool_create() and the first
 * pool_take(). */
void pool_set_weight(struct pool *pool, size_t bytes);

/* A free object has room for the addresses of POOL_BATCH others, `distance` bytes from its beginning. Then chains are
 * taken and given without touching each of their objects. Between pool_create() and the first pool_take(). */
void pool_set_room(struct pool *pool, size_t distance);

/* An object, from this processor's magazine if it has one. Zeroed only the first time. NULL: no memory. */
struct pool_object *pool_take(struct pool *pool);

/* Give an object back to this processor's magazine. */
void pool_give(struct pool *pool, struct pool_object *object);

/* The magazine of this processor. */
static inline struct pool_magazine *pool_magazine(const struct pool *pool)
{
	return &pool->magazines[processor_current()->index];
}

/* How many there are in a magazine. Owner only. */
static inline uint32_t magazine_count(const struct pool_magazine *magazine)
{
	return atomic_load_explicit(&magazine->count, memory_order_relaxed);
}

static inline void magazine_set_count(struct pool_magazine *magazine, uint32_t count)
{
	atomic_store_explicit(&magazine->count, count, memory_order_relaxed);
}

/* NULL: it is empty; false: it is full, and keeps nothing more. Owner only. */
static inline struct pool_object *magazine_take_newest(struct pool_magazine *magazine)
{
	uint32_t count = magazine_count(magazine);
	if (__builtin_expect(count == 0, 0))
		return NULL;
	magazine_set_count(magazine, count - 1);
	return magazine->objects[count - 1];
}

static inline bool magazine_put_newest(struct pool_magazine *magazine, struct pool_object *object)
{
	uint32_t count = magazine_count(magazine);
	if (__builtin_expect(count == magazine->capacity, 0))
		return false;
	magazine->objects[count] = object;
	magazine_set_count(magazine, count + 1);
	return true;
}

/* As pool_take() and pool_give(), from and to this processor's magazine alone. */
static inline struct pool_object *pool_take_at_hand(struct pool *pool)
{
	return magazine_take_newest(pool_magazine(pool));
}

static inline bool pool_give_at_hand(struct pool *pool, struct pool_object *object)
{
	return magazine_put_newest(pool_magazine(pool), object);
}

/* The object with this number. The caller knows the number from the object itself. */
struct pool_object *pool_at(const struct pool *pool, uint32_t number);

struct pool_count {
	uint64_t objects; /* ever made */
	uint64_t free;    /* in magazines and on the stack: exact only while no task takes or gives */
};
struct pool_count pool_count(const struct pool *pool);

struct pool_total {
	uint64_t used;  /* objects of all pools: exact only while no task takes or gives */
	uint64_t bytes; /* of memory that they hold, including free objects */
};
struct pool_total pool_total(void);

/* Call `visit` for every object ever made, in use or not (for reports: the caller tells them apart). */
void pool_visit(const struct pool *pool, void (*visit)(struct pool_object *object, void *argument),
                void *argument);

#endif
