/*
 * Replaces the real arch/x86_64/running.h in the explorer, as ../../arch/x86_64/inline.h does. What the inline ways of
 * locks ask for the running task is where a check may be: here the task yields there.
 */
#ifndef HEDDLE_MACHINE_RUNNING_H
#define HEDDLE_MACHINE_RUNNING_H

#include "sched/scheduler.h"

#define HEDDLE_PLACE_EXTENDED offsetof(struct task, schedule.extended)
#define HEDDLE_PLACE_HELD     offsetof(struct task, locks.held)

#define HEDDLE_INLINE_WAY extern inline __attribute__((gnu_inline, always_inline))

HEDDLE_INLINE_WAY struct task *heddle_running(void)
{
	struct task *task = task_current();
	task_yield();
	return task;
}

HEDDLE_INLINE_WAY const void *heddle_running_has_given(void)
{
	return arch_scheduler()->owed_giver;
}

HEDDLE_INLINE_WAY bool heddle_word_change_alone(uintptr_t *word, uintptr_t from, uintptr_t to)
{
	if (__atomic_load_n(word, __ATOMIC_RELAXED) != from)
		return false;
	__atomic_store_n(word, to, __ATOMIC_RELAXED);
	return true;
}

#endif
