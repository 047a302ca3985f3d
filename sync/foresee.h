/*
 * Fetching ahead what the next holders of a lock need: the way from one section to the next bounds how many sections a
 * contended lock lets through (exchange paper, section 1). A waiting task has run elsewhere or long ago, so its cache
 * lines come from another processor or from memory; and where the next line lies is known only when the last has come.
 * So there are three steps, each while a holder runs its section:
 *
 *     third in the queue:  its place there
 *     second in the queue: the lines of the task, which its place tells
 *     first in the queue:  the lines of its stack, which the task tells
 *
 * It only hints. A wait may end at any time, and its task with it: then something else is fetched, in vain.
 */
#ifndef SYNC_FORESEE_H
#define SYNC_FORESEE_H

#include "sched/foresee.h"
#include "sync/waiter.h"

#define FORESEE_FRAMES (4 * CACHE_LINE) /* the task's frames, from the switch to the section */

/* The fields of the task that the hand-over and the new holder touch. */
FORESEE_INLINE void foresee_task(const struct task *task)
{
	foresee((uintptr_t)&task->context);
	foresee((uintptr_t)&task->wait);
	foresee((uintptr_t)&task->held);
}

/* By a new holder, at the start of its section: `first` is first in the queue. It reads what others may be changing, so
 * not where accesses are watched. */
FORESEE_INLINE void foresee_holders(const struct waiter *first)
{
#ifndef __SANITIZE_THREAD__
	if (!first)
		return;
	const struct arch_context *context = &first->task->context;
	for (size_t offset = 0; offset < FORESEE_FRAMES; offset += CACHE_LINE)
		foresee((uintptr_t)context->stack_pointer + offset);
	foresee((uintptr_t)context->stack_low); /* for stack_check() */
	const struct waiter *second = first->next;
	if (!second)
		return;
	foresee_task(second->task);
	foresee((uintptr_t)second->next);
#else
	(void)first;
#endif
}

#endif
