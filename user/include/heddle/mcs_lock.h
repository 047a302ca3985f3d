/*
 * The queue lock of Mellor-Crummey and Scott for tasks (lock-algorithms paper, Listings 1 and 2): who waits
 * has a place of its own in a queue, on its stack, and looks at that place only: spinning, then yielding,
 * then suspended until the one before gives it the lock. First come, first served.
 *
 * As in heddle/ttas_lock.h, task_cancel() does not end the wait, and a holder that ends keeps the lock. There
 * is no lock_until: a place in the queue can be left only when its turn has come, since the one before and
 * the one behind know it, and it goes with the call.
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
	struct mcs_place first; /* of whoever is first: its own place is gone by then */
};

struct mcs_lock {
	struct mcs_queue queue;
	struct waiting_lock common;
};
#define HEDDLE_MCS_LOCK_INITIALIZER HEDDLE_ZEROED

/* A free lock with that strategy, which must stay; NULL: the default. HEDDLE_BAD_ARGUMENT: waiting_refusal()
 * says why; the lock then has the default. */
enum heddle_error mcs_lock_create(struct mcs_lock *lock, const struct waiting_strategy *strategy);

/* Hold the lock. HEDDLE_RELOCKED: the caller holds it already; HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error mcs_lock_lock(struct mcs_lock *lock);

/* The same without waiting. HEDDLE_BUSY: somebody holds or awaits it; HEDDLE_RELOCKED. */
enum heddle_error mcs_lock_try_lock(struct mcs_lock *lock);

/* Give it to whoever is next. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error mcs_lock_unlock(struct mcs_lock *lock);

/* Say that nobody will use it any more. HEDDLE_IN_USE: somebody holds or awaits it; nothing was changed. */
enum heddle_error mcs_lock_destroy(struct mcs_lock *lock);

HEDDLE_END

#endif
