/*
 * A place in the queue of a mutex or a reader-writer lock. A task has one for its next wait. When the wait is
 * cancelled, the place stays in the queue until a holder comes to it. For its next wait the task takes another place;
 * or, if that wait is of the same use, the same place where it is.
 *
 * `wait`, the word of the task's wait when it waits:
 *     WAIT --holder: the wait has ended--> DISCARDED (the task's again)
 *     WAIT --task: waits again--> its new WAIT
 *     WAIT --end of the task--> ORPHANED --holder--> (given back)
 */
#ifndef SYNC_WAITER_H
#define SYNC_WAITER_H

#include "sched/switch.h"
#include "sched/wait.h"

#define WAITER_DISCARDED 0
#define WAITER_ORPHANED  UINT64_MAX

struct qd_waiting;

struct waiter {
	struct pool_object pooled;
	struct task *task;
	struct waiter *next; /* the one below on the lock's stack, or behind in its queue */
	const void *use;     /* which lock it is for; with a reader-writer lock, also whether to write */
	struct waiter *next_abandoned; /* another of the same task */
	_Atomic uint64_t wait;
	_Atomic(struct qd_waiting *) section; /* to be carried out under the lock (delegation/); NULL: none */
};

void waiter_start(void);

/* The place, which is in no queue, is for a wait of this use. */
static inline void waiter_reset(struct waiter *waiter, const void *use)
{
	waiter->use = use;
	atomic_store_explicit(&waiter->section, NULL, memory_order_relaxed);
	atomic_store_explicit(&waiter->wait, WAITER_DISCARDED, memory_order_relaxed);
}

/* waiter_take() for a task that has none at hand, or has abandoned some. */
struct waiter *waiter_take_other(struct task *task, const void *use);

/* The place for the calling task's wait. NULL: no memory. Call it once for each wait: the place may still be in the
 * lock's queue, so it must be used, or given to waiter_unused(), before another is taken. */
static inline struct waiter *waiter_take(struct task *task, const void *use)
{
	struct waiter *waiter = task->locks.waiter;
	if (__builtin_expect(!waiter || task->locks.abandoned, 0))
		return waiter_take_other(task, use);
	waiter_reset(waiter, use);
	return waiter;
}

/* The task's wait was cancelled: the place is still in the queue. */
void waiter_abandon(struct task *task, struct waiter *waiter);

/* The task's wait did not begin: if the place is still in the queue from an earlier wait, it stays there. */
void waiter_unused(struct task *task);

/*
 * Wait at a place for this use. The finalizer puts the place into the queue of what the task waits for, or lets the
 * task go on (wait_begin()). HEDDLE_NO_MEMORY: there is no place; other errors as of wait_begin(), and those with
 * which the wait ended: then the place may still be in the queue.
 */
static inline enum heddle_error waiter_wait(struct task *task, const void *use,
                                            const struct wait_object *object, uint64_t deadline,
                                            finalizer finalize, void *argument)
{
	if (!waiter_take(task, use))
		return HEDDLE_NO_MEMORY;
	enum heddle_error error = wait_begin_of(task, object, deadline);
	if (error != HEDDLE_OK) {
		waiter_unused(task);
		return error;
	}
	switch_away(finalize, argument);
	error = wait_finish();
	if (error != HEDDLE_OK)
		waiter_abandon(task, task->locks.waiter);
	return error;
}

/* In a finalizer: give the place to this wait. Returns whether it is in the queue already. */
static inline bool waiter_renew(struct waiter *waiter, uint64_t ticket)
{
	uint64_t wait = wait_word(ticket, (enum wait_phase)waiter->task->wait.phase);
	/* acquire: the holder is done with it, from waiter_grant. */
	uint64_t old = atomic_load_explicit(&waiter->wait, memory_order_acquire);
	/* an old WAIT -> WAIT; release: the task has left its stack; pairs with waiter_grant. */
	if (old != WAITER_DISCARDED && atomic_compare_exchange_strong_explicit(
	                                   &waiter->wait, &old, wait, memory_order_acq_rel, memory_order_acquire))
		return true;
	atomic_store_explicit(&waiter->wait, wait, memory_order_relaxed);
	return false;
}

/* Called by the holder for the first place of the queue: end the wait; false: it has ended, and the place is gone.
 * After true the caller makes the task run. */
bool waiter_grant(struct waiter *waiter);

/* The same in one step, like wait_try_grant(). False: nothing was done. */
static inline bool waiter_try_grant(struct waiter *waiter, struct task *task)
{
	/* acquire: pairs with waiter_renew. No wait has the word ORPHANED. */
	return wait_try_grant(task, atomic_load_explicit(&waiter->wait, memory_order_acquire));
}

/* Called by the holder for the first place: whether its wait has ended, and the place is gone. */
bool waiter_is_gone(struct waiter *waiter);

/* A short name for the place, for a word that has no room for a pointer; never 0. */
static inline uint32_t waiter_number(const struct waiter *waiter)
{
	return waiter->pooled.number + 1;
}

/* 0: NULL. */
struct waiter *waiter_at(uint32_t number);

/* Give up the places that an ending task has left in queues. */
void waiter_forget(struct task *task);

#endif
