/*
 * A cohort lock for tasks, TTAS-MCS-N (lock-algorithms paper, section 3.2.2): one word to be taken, as in
 * heddle/ttas_lock.h, and N queues as in heddle/mcs_lock.h in front of it. Who finds the word taken queues
 * up; only the first of each queue looks at the word, spinning and then yielding, and stays the first of its
 * queue until it gives the lock up. Each queue is first come, first served; between queues, and for whoever
 * finds the word free, it is as luck will have it.
 *
 * As in heddle/mcs_lock.h task_cancel() does not end the wait, a holder that ends keeps the lock, and there
 * is no lock_until.
 */
#ifndef HEDDLE_TTAS_MCS_LOCK_H
#define HEDDLE_TTAS_MCS_LOCK_H

#include "heddle/mcs_lock.h"

/* Which queue a task joins: that of the processor, or of the NUMA node, on which it comes, its number modulo
 * the queues; or one at random. */
enum heddle_ttas_mcs_choice { HEDDLE_TTAS_MCS_PROCESSOR, HEDDLE_TTAS_MCS_NODE, HEDDLE_TTAS_MCS_RANDOM };

HEDDLE_BEGIN

/* On a line of its own. Zeroed before its first use. */
struct ttas_mcs_queue {
	struct mcs_queue queue;
} __attribute__((aligned(64)));

struct ttas_mcs_lock {
	HEDDLE_ATOMIC(uint32_t) word; /* free or taken */
	HEDDLE_ATOMIC(uint32_t) arrivals;
	struct mcs_queue *entered; /* the holder's: the queue that it is first in; NULL: none */
	struct mcs_queue own;      /* the only queue, where no others are given */
	struct ttas_mcs_queue *queues;
	uint32_t count;
	enum heddle_ttas_mcs_choice choice;
	struct waiting_lock common;
};
#define HEDDLE_TTAS_MCS_LOCK_INITIALIZER HEDDLE_ZEROED /* with one queue, its own */

/* A free lock with that strategy, NULL: the default; and with `count` queues, which like the strategy must
 * stay; NULL and 0: one of its own. HEDDLE_BAD_ARGUMENT: waiting_refusal() says why, or the queues or the
 * choice are none; the lock then has the defaults. */
enum heddle_error ttas_mcs_lock_create(struct ttas_mcs_lock *lock, const struct waiting_strategy *strategy,
                                       struct ttas_mcs_queue *queues, uint32_t count,
                                       enum heddle_ttas_mcs_choice choice);

/* Hold the lock. HEDDLE_RELOCKED: the caller holds it already; HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error ttas_mcs_lock_lock(struct ttas_mcs_lock *lock);

/* The same without waiting. HEDDLE_BUSY: somebody holds it; HEDDLE_RELOCKED. */
enum heddle_error ttas_mcs_lock_try_lock(struct ttas_mcs_lock *lock);

/* Give it up. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error ttas_mcs_lock_unlock(struct ttas_mcs_lock *lock);

/* Say that nobody will use it any more. HEDDLE_IN_USE: somebody holds or awaits it; nothing was changed. */
enum heddle_error ttas_mcs_lock_destroy(struct ttas_mcs_lock *lock);

HEDDLE_END

#endif
