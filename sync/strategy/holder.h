/*
 * What the locks of this folder have in common: which task holds the lock, and what the holder may not do.
 *
 * A task holds a lock if the lock is in the task's list (struct task_locks). The address of a task does not tell: when
 * a holder has ended, another task has that memory. Only the task itself, or its end, touches its list.
 */
#ifndef SYNC_STRATEGY_HOLDER_H
#define SYNC_STRATEGY_HOLDER_H

#include "sync/exchange.h"
#include "sync/strategy/backoff.h"

/* A lock is made with this strategy, or, where that is refused, with the default. */
static inline enum heddle_error holder_create(struct waiting_lock *lock,
                                              const struct waiting_strategy *strategy)
{
	bool refused = waiting_refusal(strategy) != NULL;
	*lock = (struct waiting_lock){.strategy = refused ? NULL : strategy};
	return refused ? HEDDLE_BAD_ARGUMENT : HEDDLE_OK;
}

/* Where the task's list has the lock; NULL there: the task does not hold it. */
static inline struct waiting_lock **holder_find(struct task *task, const struct waiting_lock *lock)
{
	struct waiting_lock **link = &task->locks.entered;
	while (*link && *link != lock)
		link = &(*link)->entered_next;
	return link;
}

static inline bool holder_is(const struct waiting_lock *lock, struct task *task)
{
	return *holder_find(task, lock);
}

/* Whether the calling task may wait for the lock, which it has found taken. */
static inline enum heddle_error holder_check_wait(const struct waiting_lock *lock, const char *function,
                                                  const char *kind, const void *object)
{
	if (holder_is(lock, task_current()))
		return lock_misused(function, kind, object, HEDDLE_RELOCKED);
	return processor_current()->uncooperative ? HEDDLE_UNCOOPERATIVE : HEDDLE_OK;
}

/* The calling task has got it. */
static inline enum heddle_error holder_enter(struct waiting_lock *lock, enum waiting_stage stage)
{
	uint64_t *const counters[] = {&lock->counters.at_once, &lock->counters.spun, &lock->counters.yielded,
	                              &lock->counters.suspended};
	struct task *task = task_current();
	atomic_store_explicit(&lock->owner, task, memory_order_relaxed);
	++*counters[stage];
	task_touch(task);
	lock->entered_next = task->locks.entered;
	task->locks.entered = lock;
	if (waiting_strategy_of(lock)->uncooperative)
		uncooperative_begin();
	return HEDDLE_OK;
}

static inline enum heddle_error holder_busy(const struct waiting_lock *lock)
{
	return holder_is(lock, task_current()) ? HEDDLE_RELOCKED : HEDDLE_BUSY;
}

/* The calling task is about to give the lock up; false: it does not hold it. Called before the lock looks free. */
static inline bool holder_leave(struct waiting_lock *lock, bool *uncooperative)
{
	/* Mostly the newest lock, but a task may unlock in any order. */
	struct waiting_lock **link = holder_find(task_current(), lock);
	if (__builtin_expect(!*link, 0))
		return false;
	*link = lock->entered_next;
	atomic_store_explicit(&lock->owner, NULL, memory_order_relaxed);
	*uncooperative = waiting_strategy_of(lock)->uncooperative;
	return true;
}

/* The task has given the lock up; this does not touch the lock. */
static inline enum heddle_error holder_left(bool uncooperative)
{
	extension_end(task_current());
	if (uncooperative)
		uncooperative_end();
	return HEDDLE_OK;
}

/* The task ends: its locks stay taken, and are no task's any more. Returns how many there are. */
uint32_t holder_ends(struct task *task);

#endif
