/*
 * A lock to which critical sections are delegated (qd_lock.h, where all is said that holds for both), with a
 * queue for each NUMA node (delegation paper, section 8): a helper carries out what came from its own node,
 * holding a mutex for all nodes, so that what the sections touch stays in that node's caches for a while.
 *
 * A task delegates to the queue of the node on which it first used such a lock, also when it has gone to
 * another since: else two sections of one task, in two queues, could change places.
 *
 * Sections of one task are carried out in the order in which it delegated them; those of tasks on different
 * nodes are ordered only by what has returned: qd_delegate_wait(), or the lock. One who has got the lock sees
 * what was delegated on its own node before, and all that others have waited for.
 */
#ifndef HEDDLE_HQD_LOCK_H
#define HEDDLE_HQD_LOCK_H

#include "heddle/qd_lock.h"

HEDDLE_BEGIN

#define HEDDLE_HQD_NODES_MAXIMUM 8

struct hqd_lock {
	struct mutex outer; /* between the nodes */
	uint32_t nodes;
	struct qd_lock node[HEDDLE_HQD_NODES_MAXIMUM];
};

/* As qd_lock_create(), with `nodes` queues of `count` slots each in `slots`; a machine with more nodes has
 * several share one. HEDDLE_BAD_ARGUMENT: also if nodes is 0 or more than HEDDLE_HQD_NODES_MAXIMUM. */
enum heddle_error hqd_lock_create(struct hqd_lock *lock, unsigned nodes, struct qd_slot *slots, size_t count,
                                  uint32_t limit);

/* The NUMA nodes of this machine, but not more than HEDDLE_HQD_NODES_MAXIMUM. */
unsigned hqd_nodes(void);

/* As the functions in qd_lock.h. hqd_unlock() and hqd_close_buffer() belong to the task's own node. */
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
