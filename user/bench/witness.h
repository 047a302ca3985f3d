/*
 * A witness is inside what a lock protects, and detects two tasks inside at once. Its count goes up by 1 on the way
 * in and by 1 on the way out, without a read-modify-write. A task that finds it odd, or finds it changed while it is
 * inside, is not alone; and if two enter or leave together, one of them is not counted. So witness_is_content() also
 * tells that no section was lost.
 *
 * The operations are relaxed: the order between two sections is the lock's business.
 */
#ifndef USER_BENCH_WITNESS_H
#define USER_BENCH_WITNESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct witness {
	_Atomic uint64_t count, complaints;
};

static inline void witness_complain(struct witness *witness)
{
	atomic_fetch_add_explicit(&witness->complaints, 1, memory_order_relaxed);
}

/* Directly after the lock; pass the result to witness_leave(). */
static inline uint64_t witness_enter(struct witness *witness)
{
	uint64_t count = atomic_load_explicit(&witness->count, memory_order_relaxed);
	if (count % 2)
		witness_complain(witness);
	atomic_store_explicit(&witness->count, count + 1, memory_order_relaxed);
	return count;
}

/* Directly before the unlock. */
static inline void witness_leave(struct witness *witness, uint64_t entered)
{
	if (atomic_load_explicit(&witness->count, memory_order_relaxed) != entered + 1)
		witness_complain(witness);
	atomic_store_explicit(&witness->count, entered + 2, memory_order_relaxed);
}

/* Odd: a task is inside at this moment. */
static inline uint64_t witness_count(const struct witness *witness)
{
	return atomic_load_explicit(&witness->count, memory_order_relaxed);
}

/* As entering, for one of many readers: no other task may enter or leave meanwhile. */
static inline uint64_t witness_look(struct witness *witness)
{
	uint64_t count = atomic_load_explicit(&witness->count, memory_order_relaxed);
	if (count % 2)
		witness_complain(witness);
	return count;
}

static inline void witness_look_again(struct witness *witness, uint64_t looked)
{
	if (atomic_load_explicit(&witness->count, memory_order_relaxed) != looked)
		witness_complain(witness);
}

/* At the end, when no task is inside: there were that many sections, and never two at once. */
static inline bool witness_is_content(struct witness *witness, uint64_t sections)
{
	return atomic_load_explicit(&witness->complaints, memory_order_relaxed) == 0 &&
	       atomic_load_explicit(&witness->count, memory_order_relaxed) == 2 * sections;
}

#endif
