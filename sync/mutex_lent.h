/*
 * A deferred hand-over of a mutex that the unlocking task takes back (deferral.h): the mutex is lent to it. A gives it
 * up while B is the first of the queue, and locks it again before it leaves the processor:
 *
 *     given to B, which is owed --A locks--> lent to A --A unlocks--> given to B, which is owed
 *                                                      --A leaves, a check, ...--> held by A, B waits
 *
 * While it is lent, B's place is the first of the queue again, but B's wait stays ended. So neither A's lock nor its
 * unlock needs an atomic operation. The owner and A's list say that A holds the mutex, and others see no difference:
 * only the holder looks at the queue, and B waits again before the processor's slot (sched/owed.h) is used for
 * anything else, and before the holder looks at the queue (mutex_leave()).
 *
 * Only mutex_lock() borrows. All other operations take the mutex back for good; so does delegation, which looks at the
 * queue at any time.
 *
 * All of it is wait-free, and only for the calling task.
 */
#ifndef SYNC_MUTEX_LENT_H
#define SYNC_MUTEX_LENT_H

#include "kernel/panic.h"
#include "sync/deferral.h"
#include "sync/mutex.h"

/* The calling task has given the mutex up, owed_is_of(mutex), and takes it back. Returns as mutex_enter(). Kept out of
 * line, off the fast path of a free lock. */
__attribute__((noinline)) static enum heddle_error mutex_take_back(struct mutex *mutex)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *next = deferral_lend(&mutex->deferral, scheduler);
	ASSERT(next->locks.waiter->next == mutex->first);
	mutex->first = next->locks.waiter;
	return mutex_enter(mutex, scheduler->current);
}

/* The same for good. */
__attribute__((noinline)) static enum heddle_error mutex_take_back_whole(struct mutex *mutex)
{
	enum heddle_error error = mutex_take_back(mutex);
	owed_return(scheduler_current());
	return error;
}

/* The calling task unlocks the mutex; `first` is the first of the queue. False: the mutex is not lent, or cannot be
 * given again this way; nothing was done. */
static inline bool mutex_give_again(struct mutex *mutex, struct task *task, struct waiter *first)
{
	struct scheduler *scheduler = scheduler_current();
	if (!owed_is_lent(scheduler, mutex) || mutex->counters.measured ||
	    !deferral_give_again(&mutex->deferral, scheduler))
		return false;
	trace_release(mutex);
	mutex->first = first->next;
	task->held = mutex->held_next;
	mutex_set_owner(mutex, first->task);
	return true;
}

/* The calling task keeps a lent mutex: the first of the queue waits again. */
static inline void mutex_return_lent(const struct mutex *mutex)
{
	struct scheduler *scheduler = scheduler_current();
	if (__builtin_expect(owed_is_lent(scheduler, mutex), 0))
		owed_return(scheduler);
}

#endif
