/*
 * A test-and-test-and-set lock for tasks (lock-algorithms paper, section 3.2): one word, which whoever waits
 * looks at again and again, spinning first and then yielding. It belongs to whoever comes first after it was
 * given up, so nobody is sure to get it ever; none has a place where it could be suspended.
 *
 * What is said of errors, misuse, quanta and memory in heddle/lock.h and heddle/mutex.h holds here too, with
 * these differences: task_cancel() does not end the wait but counts for the next one that it can end; and a
 * holder that ends keeps the lock, which is reported.
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

/* A free lock with that strategy, which must stay; NULL: the default. HEDDLE_BAD_ARGUMENT: waiting_refusal()
 * says why; the lock then has the default. */
enum heddle_error ttas_lock_create(struct ttas_lock *lock, const struct waiting_strategy *strategy);

/* Hold the lock. HEDDLE_RELOCKED: the caller holds it already; HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error ttas_lock_lock(struct ttas_lock *lock);

/* The same, trying until `deadline` (heddle_clock()) at most: HEDDLE_TIMED_OUT. The clock is looked at
 * between two turns of spinning, and whenever the task has its turn after a yield. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error ttas_lock_lock_until(struct ttas_lock *lock,
                                                                     uint64_t deadline);

/* The same without waiting. HEDDLE_BUSY: somebody holds it; HEDDLE_RELOCKED. */
enum heddle_error ttas_lock_try_lock(struct ttas_lock *lock);

/* Give it up. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error ttas_lock_unlock(struct ttas_lock *lock);

/* Say that nobody will use it any more. HEDDLE_IN_USE: somebody holds it; nothing was changed. Who only waits
 * for it is not seen. */
enum heddle_error ttas_lock_destroy(struct ttas_lock *lock);

HEDDLE_END

#endif
