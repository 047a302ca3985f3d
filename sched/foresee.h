/*
 * Fetching ahead cache lines that are about to be needed. It only hints: where something else lies there by then, that
 * is fetched in vain.
 */
#ifndef SCHED_FORESEE_H
#define SCHED_FORESEE_H

#include "sched/local_queue.h"

/* Inline in each caller: the compiler drops calls of a function that only fetches ahead. */
#define FORESEE_INLINE __attribute__((always_inline)) static inline

FORESEE_INLINE void foresee(uintptr_t address)
{
	__builtin_prefetch((const void *)address, 1);
}

/* The queue's oldest task, which runs after the one that was taken just now: its fields, and the first piece of its
 * stack. If there is none, this fetches nothing. */
FORESEE_INLINE void foresee_oldest(const struct local_queue *queue)
{
	uintptr_t task = (uintptr_t)local_queue_own(queue), stack_high = task + TASK_BLOCK;
	foresee(task + offsetof(struct task, ready_next));
	foresee(task + offsetof(struct task, schedule));
	foresee(stack_high - CACHE_LINE);
	foresee(stack_high - 2 * CACHE_LINE);
}

#endif
