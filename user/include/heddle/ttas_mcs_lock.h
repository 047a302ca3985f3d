/*
 * A cohort lock for tasks, TTAS-MCS-N (lock-algorithms paper, section 3.2.2): one word as in heddle/ttas_lock.h,
 * behind N queues as in heddle/mcs_lock.h. A task that finds the word taken queues up. Only the first of each queue
 * tests the word, spinning and then yielding, and it stays first until it gives up the lock. Each queue is first
 * come, first served. There is no order between queues, nor for tasks that find the word free.
 *
 * As in heddle/mcs_lock.h task_cancel() does not end the wait, a holder that ends keeps the lock, and there
 * is no lock_until.
 */
#ifndef HEDDLE_TTAS_MCS_LOCK_H
#define HEDDLE_TTAS_MCS_LOCK_H

#include "heddle/mcs_lock.h"

/* Which queue a task joins: that of the processor or of the NUMA node on which it comes, modulo the number of queues;
 * or a random one. */
enum heddle_ttas_mcs_choice { HEDDLE_TTAS_MCS_PROCESSOR, HEDDLE_TTAS_MCS_NODE, HEDDLE_TTAS_MCS_RANDOM };

HEDDLE_BEGIN

/* On a cache line of its own. Zeroed before its first use. */
struct ttas_mcs_queue {
	struct mcs_queue queue;
} __attribute__((aligned(64)));

struct ttas_mcs_lock {
	HEDDLE_ATOMIC(uint32_t) word; /* free or taken */
	HEDDLE_ATOMIC(uint32_t) arrivals;
	struct mcs_queue *entered; /* the holder's: the queue in which it is first; NULL: none */
	struct mcs_queue own;      /* the only queue, if no others are given */
	struct ttas_mcs_queue *queues;
	uint32_t count;
	enum heddle_ttas_mcs_choice choice;
	struct waiting_lock common;
};
#define HEDDLE_TTAS_MCS_LOCK_INITIALIZER HEDDLE_ZEROED /* with one queue, its own */

/* Initialize a free lock with that strategy (NULL: the default) and with `count` queues (NULL and 0: one of its own).
 * Strategy and queues must outlive it. HEDDLE_BAD_ARGUMENT: waiting_refusal() says why, or the queues or the choice
 * are invalid; the lock then has the defaults. */
enum heddle_error ttas_mcs_lock_create(struct ttas_mcs_lock *lock, const struct waiting_strategy *strategy,
                                       struct ttas_mcs_queue *queues, uint32_t count,
                                       enum heddle_ttas_mcs_choice choice);

/* Hold the lock. HEDDLE_RELOCKED: the caller holds it already; HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error ttas_mcs_lock_lock(struct ttas_mcs_lock *lock);

/* The same without waiting. HEDDLE_BUSY: it is held; HEDDLE_RELOCKED. */
enum heddle_error ttas_mcs_lock_try_lock(struct ttas_mcs_lock *lock);

/* Give it up. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error ttas_mcs_lock_unlock(struct ttas_mcs_lock *lock);

/* Declare that it is not used any more. HEDDLE_IN_USE: it is held or awaited; nothing was changed. */
enum heddle_error ttas_mcs_lock_destroy(struct ttas_mcs_lock *lock);

HEDDLE_END

#endif
