/*
 * The queue of the MCS lock (lock-algorithms paper, Listing 1), and of each queue of the TTAS-MCS lock: the first
 * task in the queue holds what it is for.
 *
 *     tail: NULL (empty) --try--> the queue's own place (one is first, none waits)
 *           NULL, the queue's own place, a place --enter--> the place of the one that came last
 *           that place, once its task is first --enter--> the queue's own place --leave--> NULL
 *     next of a place: NULL --enter of the one behind--> that one's place
 *     next of the queue's own place besides: NULL --leave, before the one behind has come so far--> LEFT
 *
 * The paper's node belongs to the caller until it unlocks. Here a place lies on the stack of a task while that waits,
 * and goes with the call: a task that has become the first moves what is behind it to the queue's own place. So
 * nothing is kept between lock and unlock, and the task may migrate. And the paper's unlock waits until the one
 * behind has linked itself; here it leaves word that it has left.
 *
 * | operation       | together with | progress                        | takes effect                   |
 * |-----------------|---------------|---------------------------------|--------------------------------|
 * | mcs_queue_try   | everything    | wait-free                       | at its CAS                     |
 * | mcs_queue_enter | everything    | first in, first out; then it    | at its exchange of tail        |
 * |                 |               | waits for one behind to link    |                                |
 * | mcs_queue_leave | enter, try    | wait-free                       | at its CAS, at the handle, or  |
 * |                 |               |                                 | at its exchange of next        |
 */
#ifndef SYNC_STRATEGY_MCS_QUEUE_H
#define SYNC_STRATEGY_MCS_QUEUE_H

#include "heddle/mcs_lock.h"
#include "sync/strategy/backoff.h"

/* Become the first if the queue is empty. */
bool mcs_queue_try(struct mcs_queue *queue);

/* Returns when the calling task is the first, with how it has waited. */
enum waiting_stage mcs_queue_enter(struct mcs_queue *queue, const struct waiting_strategy *strategy,
                                   const struct wait_object *object);

/* By the first: make the one behind the first. That task may free the queue. */
void mcs_queue_leave(struct mcs_queue *queue);

static inline bool mcs_queue_is_empty(struct mcs_queue *queue)
{
	/* acquire: what the last one did. */
	return atomic_load_explicit(&queue->tail, memory_order_acquire) == NULL;
}

#endif
