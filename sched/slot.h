/*
 * What lies in a slot of a processor that others read (run_next.h, balance.h): the address of a task, and in its
 * lowest bits what they must know of the task before they have it. 0: nothing.
 */
#ifndef SCHED_SLOT_H
#define SCHED_SLOT_H

#include "sched/task.h"

#define SLOT_LEVEL 7 /* its priority */
#define SLOT_BOUND 8 /* it is bound to some processor */
#define SLOT_BITS  15

_Static_assert(HEDDLE_PRIORITIES - 1 <= SLOT_LEVEL, "the word has room for a priority");
_Static_assert(_Alignof(struct task) > SLOT_BITS, "these bits of a task's address are 0");

static inline uintptr_t slot_word(const struct task *task)
{
	return (uintptr_t)task | task->schedule.priority |
	       (task->schedule.bound != HEDDLE_TASK_ANY_PROCESSOR ? SLOT_BOUND : 0);
}

static inline struct task *slot_task(uintptr_t word)
{
	return (struct task *)(word & ~(uintptr_t)SLOT_BITS);
}

static inline unsigned slot_level(uintptr_t word)
{
	return (unsigned)(word & SLOT_LEVEL);
}

#endif
