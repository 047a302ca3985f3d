/*
 * A test-and-test-and-set lock for tasks (lock-algorithms paper, section 3.2): one word, which waiting tasks test
 * again and again, first spinning, then yielding. The first task that comes after an unlock gets the lock, so a task
 * may starve. There are no places in a queue, so no task is suspended.
 *
 * What heddle/lock.h and heddle/mutex.h say of errors, misuse, quanta and memory holds here too, with two
 * differences: task_cancel() does not end the wait, but is kept for the next wait that it can end; and a holder that
 * ends keeps the lock, which is reported.
 */
#ifndef HEDDLE_TTAS_LOCK_H
#define HEDDLE_TTAS_LOCK_H

#include "heddle/waiting.h"

HEDDLE_BEGIN

struct ttas_lock {
	HEDDLE_ATOMIC(uint32_t) word; /* free or taken */
	struct waiting_lock common;
};
#define HEDDLE_TTAS_LOCK_INITIALIZER HEDDLE_ZEROED

/* Initialize a free lock with that strategy, which must outlive it; NULL: the default. HEDDLE_BAD_ARGUMENT:
 * waiting_refusal() says why; the lock then has the default. */
enum heddle_error ttas_lock_create(struct ttas_lock *lock, const struct waiting_strategy *strategy);

/* Hold the lock. HEDDLE_RELOCKED: the caller holds it already; HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error ttas_lock_lock(struct ttas_lock *lock);

/* The same, trying until `deadline` (heddle_clock()) at most: HEDDLE_TIMED_OUT. It reads the clock between two turns
 * of spinning, and whenever the task runs again after a yield. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error ttas_lock_lock_until(struct ttas_lock *lock,
                                                                     uint64_t deadline);

/* The same without waiting. HEDDLE_BUSY: it is held; HEDDLE_RELOCKED. */
enum heddle_error ttas_lock_try_lock(struct ttas_lock *lock);

/* Give it up. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error ttas_lock_unlock(struct ttas_lock *lock);

/* Declare that it is not used any more. HEDDLE_IN_USE: it is held; nothing was changed. Tasks that only wait for it
 * are not noticed. */
enum heddle_error ttas_lock_destroy(struct ttas_lock *lock);

HEDDLE_END

#endif
