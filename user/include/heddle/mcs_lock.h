/*
 * The queue lock of Mellor-Crummey and Scott for tasks (lock-algorithms paper, Listings 1 and 2): each waiting task
 * has a place of its own in a queue, on its stack, and looks only at that place. It spins, then yields, then is
 * suspended until the one before hands it the lock. First come, first served.
 *
 * As in heddle/ttas_lock.h, task_cancel() does not end the wait, and a holder that ends keeps the lock. There is no
 * lock_until: a task can leave the queue only when its turn has come, because the places before and behind refer to
 * its own.
 */
#ifndef HEDDLE_MCS_LOCK_H
#define HEDDLE_MCS_LOCK_H

#include "heddle/waiting.h"

HEDDLE_BEGIN

/* A place in a queue; see sync/strategy/mcs_queue.h. */
struct mcs_place {
	HEDDLE_ATOMIC(uintptr_t) resume_handle;
	HEDDLE_ATOMIC(struct mcs_place *) next;
};

struct mcs_queue {
	HEDDLE_ATOMIC(struct mcs_place *) tail;
	struct mcs_place first; /* of the first task, whose own place is gone by then */
};

struct mcs_lock {
	struct mcs_queue queue;
	struct waiting_lock common;
};
#define HEDDLE_MCS_LOCK_INITIALIZER HEDDLE_ZEROED

/* Initialize a free lock with that strategy, which must outlive it; NULL: the default. HEDDLE_BAD_ARGUMENT:
 * waiting_refusal() says why; the lock then has the default. */
enum heddle_error mcs_lock_create(struct mcs_lock *lock, const struct waiting_strategy *strategy);

/* Hold the lock. HEDDLE_RELOCKED: the caller holds it already; HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error mcs_lock_lock(struct mcs_lock *lock);

/* The same without waiting. HEDDLE_BUSY: it is held or awaited; HEDDLE_RELOCKED. */
enum heddle_error mcs_lock_try_lock(struct mcs_lock *lock);

/* Give it to the next task. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error mcs_lock_unlock(struct mcs_lock *lock);

/* Declare that it is not used any more. HEDDLE_IN_USE: it is held or awaited; nothing was changed. */
enum heddle_error mcs_lock_destroy(struct mcs_lock *lock);

HEDDLE_END

#endif
