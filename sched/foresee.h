/*
 * Fetching ahead cache lines that are about to be needed: where something else lies there by then, that is fetched in
 * vain.
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

/* The fields of a task that its start and its end need. */
FORESEE_INLINE void foresee_fields(const struct task *task)
{
	foresee((uintptr_t)&task->context);
	foresee((uintptr_t)&task->function);
}

/* The queue's oldest task, which runs after the one that was taken just now: its fields, and the top of its stack. And
 * the fields of the task after that, as one turn is too short for memory to answer. */
FORESEE_INLINE void foresee_oldest(const struct local_queue *queue)
{
	const struct task *oldest = local_queue_own(queue);
	if (!oldest)
		return;
	uintptr_t stack_high = (uintptr_t)oldest + TASK_BLOCK;
	foresee_fields(oldest);
	foresee(stack_high - CACHE_LINE);
	foresee(stack_high - 2 * CACHE_LINE);
	if (oldest->ready_next)
		foresee_fields(oldest->ready_next);
}

/* How many free tasks are taken while memory answers. */
#define FORESEE_FREE 6

/* The free task that is taken after the next FORESEE_FREE of those at hand: all that its creation needs. `count`: how
 * many are at hand. */
FORESEE_INLINE void foresee_free(const struct pool_magazine *free_tasks, uint32_t count)
{
	if (__builtin_expect(count <= FORESEE_FREE, 0))
		return;
	const struct task *task = (const struct task *)free_tasks->objects[count - 1 - FORESEE_FREE];
	foresee_fields(task);
	foresee((uintptr_t)&task->wait);
}

#endif
