/*
 * A delegation lock (qd_lock.h, which says all that holds for both) with a queue for each NUMA node (delegation
 * paper, section 8): a helper runs the sections of its own node, while it holds a mutex for all nodes. So the data
 * that the sections touch stays in that node's caches for a while.
 *
 * A task delegates to the queue of the node on which it first used such a lock, even after it has moved to another:
 * otherwise two sections of one task, in two queues, could run in the wrong order.
 *
 * Sections of one task run in the order in which it delegated them. Sections of tasks on different nodes are ordered
 * only by qd_delegate_wait() and by holding the lock. The holder of the lock sees what was delegated on its own node
 * before, and everything that other tasks have waited for.
 */
#ifndef HEDDLE_HQD_LOCK_H
#define HEDDLE_HQD_LOCK_H

#include "heddle/qd_lock.h"

HEDDLE_BEGIN

#define HEDDLE_HQD_NODES_MAXIMUM 8

struct hqd_lock {
	struct mutex outer; /* for all nodes */
	uint32_t nodes;
	struct qd_lock node[HEDDLE_HQD_NODES_MAXIMUM];
};

/* As qd_lock_create(), with `nodes` queues of `count` slots each in `slots`. On a machine with more nodes, several
 * share a queue. HEDDLE_BAD_ARGUMENT: also if nodes is 0 or more than HEDDLE_HQD_NODES_MAXIMUM. */
enum heddle_error hqd_lock_create(struct hqd_lock *lock, unsigned nodes, struct qd_slot *slots, size_t count,
                                  uint32_t limit);

/* The number of NUMA nodes of this machine, at most HEDDLE_HQD_NODES_MAXIMUM. */
unsigned hqd_nodes(void);

/* As the functions in qd_lock.h. hqd_unlock() and hqd_close_buffer() act on the task's own node. */
enum heddle_error hqd_lock_destroy(struct hqd_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error hqd_delegate(struct hqd_lock *lock, qd_section section,
                                                           size_t size, const void *message);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error hqd_delegate_wait(struct hqd_lock *lock, qd_section section,
                                                                  size_t size, void *message);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error hqd_delegate_or_lock(struct hqd_lock *lock, size_t size,
                                                                   void **buffer);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error hqd_close_buffer(struct hqd_lock *lock, void *buffer,
                                                               qd_section section);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error hqd_delegate_unlock(struct hqd_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error hqd_lock(struct hqd_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error hqd_lock_until(struct hqd_lock *lock, uint64_t deadline);
HEDDLE_DEEP enum heddle_error hqd_try_lock(struct hqd_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error hqd_unlock(struct hqd_lock *lock);

HEDDLE_END

#endif
