#include "heddle/hqd_lock.h"

#include "kernel/topology.h"
#include "sync/delegation/delegation.h"

static const char kind_name[] = "hqd lock";

unsigned hqd_nodes(void)
{
	return topology.node_count < HEDDLE_HQD_NODES_MAXIMUM ? topology.node_count : HEDDLE_HQD_NODES_MAXIMUM;
}

/* The node of the calling task: the one on which it first came here. It enters the lock only there, so a section that
 * it carries out finds that it is inside. */
static struct qd_lock *own_node(struct hqd_lock *lock)
{
	struct task *task = task_current();
	if (task->locks.delegates_to == 0) {
		task_touch(task);
		task->locks.delegates_to = processor_current()->node + 1;
	}
	return &lock->node[(task->locks.delegates_to - 1) % lock->nodes];
}

STACK_ENTRY(hqd_lock_create)
enum heddle_error hqd_lock_create(struct hqd_lock *lock, unsigned nodes, struct qd_slot *slots, size_t count,
                                  uint32_t limit)
{
	if (nodes == 0 || nodes > HEDDLE_HQD_NODES_MAXIMUM)
		return lock_misused("hqd_lock_create()", kind_name, lock, HEDDLE_BAD_ARGUMENT);
	lock->outer = (struct mutex)HEDDLE_MUTEX_INITIALIZER;
	lock->nodes = nodes;
	for (unsigned i = 0; i < nodes; i++) {
		enum heddle_error error = qd_lock_create(&lock->node[i], slots + i * count, count, limit);
		if (error != HEDDLE_OK)
			return error;
		lock->node[i].kind = HEDDLE_QD_NODE;
		lock->node[i].outer = &lock->outer;
	}
	return HEDDLE_OK;
}

enum heddle_error hqd_lock_destroy(struct hqd_lock *lock)
{
	for (unsigned i = 0; i < lock->nodes; i++) {
		enum heddle_error error = qd_lock_destroy(&lock->node[i]);
		if (error != HEDDLE_OK)
			return error;
	}
	return mutex_destroy(&lock->outer);
}

STACK_ENTRY(hqd_delegate)
enum heddle_error hqd_delegate(struct hqd_lock *lock, qd_section section, size_t size, const void *message)
{
	return qd_delegate(own_node(lock), section, size, message);
}

STACK_ENTRY(hqd_delegate_wait)
enum heddle_error hqd_delegate_wait(struct hqd_lock *lock, qd_section section, size_t size, void *message)
{
	return qd_delegate_wait(own_node(lock), section, size, message);
}

STACK_ENTRY(hqd_delegate_or_lock)
enum heddle_error hqd_delegate_or_lock(struct hqd_lock *lock, size_t size, void **buffer)
{
	return qd_delegate_or_lock(own_node(lock), size, buffer);
}

STACK_ENTRY(hqd_close_buffer)
enum heddle_error hqd_close_buffer(struct hqd_lock *lock, void *buffer, qd_section section)
{
	return qd_close_buffer(own_node(lock), buffer, section);
}

STACK_ENTRY(hqd_delegate_unlock)
enum heddle_error hqd_delegate_unlock(struct hqd_lock *lock)
{
	return qd_unlock(own_node(lock));
}

STACK_ENTRY(hqd_lock)
enum heddle_error hqd_lock(struct hqd_lock *lock)
{
	return qd_lock(own_node(lock));
}

STACK_ENTRY(hqd_lock_until)
enum heddle_error hqd_lock_until(struct hqd_lock *lock, uint64_t deadline)
{
	return qd_lock_until(own_node(lock), deadline);
}

STACK_ENTRY(hqd_try_lock)
enum heddle_error hqd_try_lock(struct hqd_lock *lock)
{
	return qd_try_lock(own_node(lock));
}

STACK_ENTRY(hqd_unlock)
enum heddle_error hqd_unlock(struct hqd_lock *lock)
{
	return qd_unlock(own_node(lock));
}
