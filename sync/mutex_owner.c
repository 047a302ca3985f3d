/*
 * The end of a task that holds mutexes, and what its next holders do about that.
 */
#include "sync/mutex.h"

#include "kernel/console.h"
#include "sched/ready.h"
#include "sync/exchange.h"

/* A mutex with a function of its own for the end goes first: that function also gives up what belongs to the mutex. */
static struct mutex *first_to_release(const struct task *task)
{
	struct mutex *mutex = task->held;
	while (mutex && !mutex->owner_ends)
		mutex = mutex->held_next;
	return mutex ? mutex : task->held;
}

bool mutex_release_all(struct task *task)
{
	while (task->held) {
		struct mutex *mutex = first_to_release(task);
		mutex->owner_died = HEDDLE_OWNER_DIED;
		if (mutex->owner_ends) {
			if (!mutex->owner_ends(mutex))
				return false;
			continue;
		}
		log_error("task %s (%u) ends while it holds the mutex at %p; the next holder is told", task->name,
		          task->pooled.number, (void *)mutex);
		mutex_leave(mutex, task);
		struct task *next = mutex_pass(mutex, false);
		if (next)
			ready_publish(next);
	}
	return true;
}

bool mutex_is_owned(const struct mutex *mutex)
{
	return mutex_is_held(mutex, task_current());
}

enum heddle_error mutex_repair(struct mutex *mutex)
{
	if (!mutex_is_held(mutex, task_current()))
		return lock_misused("mutex_repair()", mutex_kind, mutex, HEDDLE_NOT_OWNER);
	mutex->owner_died = HEDDLE_OK;
	return HEDDLE_OK;
}
