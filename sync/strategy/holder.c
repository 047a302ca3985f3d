#include "sync/strategy/holder.h"

uint32_t holder_ends(struct task *task)
{
	uint32_t count = 0;
	for (struct waiting_lock *lock; (lock = task->locks.entered); count++) {
		task->locks.entered = lock->entered_next;
		atomic_store_explicit(&lock->owner, NULL, memory_order_relaxed);
	}
	return count;
}
