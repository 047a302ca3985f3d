/*
 * What the locks of this folder have in common: which task holds the lock, and what the holder may not do.
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

static inline bool holder_is(const struct waiting_lock *lock, const struct task *task)
{
	return atomic_load_explicit(&lock->owner, memory_order_relaxed) == task;
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
	section_begin(task);
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
	if (__builtin_expect(!holder_is(lock, task_current()), 0))
		return false;
	atomic_store_explicit(&lock->owner, NULL, memory_order_relaxed);
	*uncooperative = waiting_strategy_of(lock)->uncooperative;
	return true;
}

/* The task has given the lock up; this does not touch the lock. */
static inline enum heddle_error holder_left(bool uncooperative)
{
	section_end(task_current());
	if (uncooperative)
		uncooperative_end();
	return HEDDLE_OK;
}

#endif
