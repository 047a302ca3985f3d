/*
 * The shared part of a processor's ready tasks of one priority (local_queue.h): a bounded ring of blocks of one or
 * more tasks. Only its processor puts; any processor takes, oldest first. Head and tail are counters that never wrap,
 * so no slot is mistaken for another.
 *
 *     head <= tail <= head + RING_LENGTH;  slots [head, tail) hold blocks, oldest at head
 *
 * | operation      | together with                | progress  | takes effect                          |
 * |----------------|------------------------------|-----------|---------------------------------------|
 * | ring_put       | all but itself (owner only)  | wait-free | at the store of tail                  |
 * | ring_order     | the same                     | wait-free | at its exchange                       |
 * | ring_take      | everything                   | lock-free | at the CAS of head; empty: at the     |
 * |                |                              |           | load of tail                          |
 * | ring_take_half | everything                   | lock-free | the same                              |
 */
#ifndef SCHED_RING_H
#define SCHED_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"

#define RING_LENGTH     256
#define RING_TAKE_LIMIT 32

struct task;

struct ring {
	_Alignas(CACHE_LINE_PAIR) _Atomic uint64_t head;
	_Alignas(CACHE_LINE_PAIR) _Atomic uint64_t tail;
	uint64_t head_seen; /* the owner's: head at an earlier time, which saves it the line of the takers */
	_Alignas(CACHE_LINE_PAIR) _Atomic(struct task *) slots[RING_LENGTH];
};

/* Owner only. False: it is full. */
static inline bool ring_put(struct ring *ring, struct task *task)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	if (tail - ring->head_seen >= RING_LENGTH) {
		/* acquire: pairs with the CAS of a taker, which has read the slot that is overwritten here. */
		ring->head_seen = atomic_load_explicit(&ring->head, memory_order_acquire);
		if (tail - ring->head_seen >= RING_LENGTH)
			return false;
	}
	atomic_store_explicit(&ring->slots[tail % RING_LENGTH], task, memory_order_relaxed);
	/* release: the slot, for takers, which acquire tail. */
	atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
	return true;
}

/* All that was put comes before what the caller looks at from now on. Owner only. */
static inline void ring_order(struct ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	/* seq_cst: pairs with the loads of tail by those that look for tasks. */
	atomic_exchange_explicit(&ring->tail, tail, memory_order_seq_cst);
}

/* Take up to half of the blocks, at least one, at most `limit`, in order. Returns how many. */
static inline size_t ring_take_half(struct ring *ring, struct task **tasks, size_t limit)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	for (;;) {
		/* seq_cst: an idler's last look comes after its announcement; acquires the slots from ring_put. */
		uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_seq_cst);
		if (head >= tail)
			return 0;
		size_t count = (size_t)(tail - head + 1) / 2;
		if (count > limit)
			count = limit;
		for (size_t i = 0; i < count; i++)
			tasks[i] = atomic_load_explicit(&ring->slots[(head + i) % RING_LENGTH], memory_order_relaxed);
		/* head -> head + count; release: the slots were read before their owner may overwrite them
		 * (ring_put). */
		if (atomic_compare_exchange_weak_explicit(&ring->head, &head, head + count, memory_order_acq_rel,
		                                          memory_order_acquire))
			return count;
	}
}

/* A hint: outdated at once. */
static inline bool ring_is_empty(struct ring *ring)
{
	return atomic_load_explicit(&ring->head, memory_order_acquire) >=
	       atomic_load_explicit(&ring->tail, memory_order_seq_cst);
}

/* Whether there is exactly one, and which: *head differs for each. A hint, as above. */
static inline bool ring_has_one(const struct ring *ring, uint64_t *head)
{
	*head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	return atomic_load_explicit(&ring->tail, memory_order_relaxed) == *head + 1;
}

/* Take the oldest; NULL: empty. */
static inline struct task *ring_take(struct ring *ring)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	struct task *task;
	do {
		/* As in ring_take_half. */
		if (head >= atomic_load_explicit(&ring->tail, memory_order_seq_cst))
			return NULL;
		task = atomic_load_explicit(&ring->slots[head % RING_LENGTH], memory_order_relaxed);
		/* head -> head + 1 */
	} while (!atomic_compare_exchange_weak_explicit(&ring->head, &head, head + 1, memory_order_acq_rel,
	                                                memory_order_acquire));
	return task;
}

#endif
