/*
 * DR-MCS: a reader-writer lock that prefers writers (Calciu and others, "NUMA-Aware Reader-Writer Locks", PPoPP
 * 2013). Readers are counted in many places, so that those that come at the same time change different cache lines.
 * Writers stand in the queue of an MCS lock (Mellor-Crummey and Scott 1991), and the first one waits until no reader
 * is left. A reader comes in while no writer is there; one that was turned away DRMCS_PATIENCE times keeps further
 * writers from the queue until it is in.
 *
 * A reader counts itself at the place of its task, which stays the same when the task migrates. The holder stands in
 * the queue as `holder`, which is the lock's own; so a writer's node is on its stack, and only while it waits.
 *
 * A task that waits in the queue suspends; a task that waits for readers, or for all writers to go, yields.
 *
 * | operation    | progress                              | takes effect                     |
 * |--------------|---------------------------------------|----------------------------------|
 * | read lock    | waits for the writers that are there  | at the look at the queue         |
 * | write lock   | first in, first out among writers     | when it has seen no reader left  |
 * | read unlock  | wait-free                             | at its decrement                 |
 * | write unlock | waits for one that is just coming     | at its CAS, or when it answers   |
 */
#ifndef SYNC_BASELINE_DRMCS_LOCK_H
#define SYNC_BASELINE_DRMCS_LOCK_H

#include "sync/baseline/answer.h"

#define DRMCS_PLACES   32
#define DRMCS_PATIENCE 32

struct drmcs_node {
	HEDDLE_ATOMIC(struct drmcs_node *) next;
	struct answer answer;
};

struct drmcs_lock {
	struct {
		_Alignas(64) HEDDLE_ATOMIC(uint32_t) readers;
	} places[DRMCS_PLACES];
	_Alignas(64) HEDDLE_ATOMIC(struct drmcs_node *) newest; /* NULL: no writer */
	struct drmcs_node holder;
	_Alignas(64) HEDDLE_ATOMIC(uint32_t) impatient; /* readers that keep writers away */
};

/* All return HEDDLE_OK. */
HEDDLE_MAY_SWITCH enum heddle_error drmcs_read_lock(struct drmcs_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error drmcs_read_unlock(struct drmcs_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error drmcs_write_lock(struct drmcs_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error drmcs_write_unlock(struct drmcs_lock *lock);

#endif
