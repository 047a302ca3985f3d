/*
 * The priorities at which tasks may wait on a processor: `levels` of its scheduler. Bit p is for tasks that may run
 * anywhere (sched=local), bit LEVELS_BOUND + p for those that are bound to the processor (ready_bound.h). A bit is set
 * before the first task is put, and cleared when the queue was found empty, both by the processor itself.
 */
#ifndef SCHED_LEVELS_H
#define SCHED_LEVELS_H

#include "sched/plain.h"

#define LEVELS_BOUND    16
#define LEVELS_ANYWHERE ((1u << LEVELS_BOUND) - 1)

_Static_assert(HEDDLE_PRIORITIES <= LEVELS_BOUND, "a bit each for two kinds of tasks");

static inline uint32_t levels_of(const struct scheduler *scheduler)
{
	return atomic_load_explicit(&scheduler->levels, memory_order_relaxed);
}

static inline uint32_t levels_anywhere(const struct scheduler *scheduler)
{
	return levels_of(scheduler) & LEVELS_ANYWHERE;
}

static inline uint32_t levels_bound(const struct scheduler *scheduler)
{
	return levels_of(scheduler) >> LEVELS_BOUND;
}

/* A task is about to be put. Owner only. */
static inline void levels_set(struct scheduler *scheduler, uint32_t bit)
{
	uint32_t levels = levels_of(scheduler);
	if (!(levels & bit)) {
		/* release: before the task. */
		atomic_store_explicit(&scheduler->levels, levels | bit, memory_order_release);
		plain_forbid(scheduler);
	}
}

/* The queue is empty: the next task that comes sets the bit again. Owner only. */
static inline void levels_clear(struct scheduler *scheduler, uint32_t bit)
{
	atomic_store_explicit(&scheduler->levels, levels_of(scheduler) & ~bit, memory_order_relaxed);
	plain_forbid(scheduler);
}

#endif
