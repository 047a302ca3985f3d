#include "sync/added_lock.h"

#include "sync/exchange.h"

void added_lock_create(struct added_lock *lock, size_t place)
{
	*lock = (struct added_lock){(const struct lock_kind *)heddle_locks().first[place], place, {0}};
}

/* task->locks.added is for reports, and left by a task that ends in there. */
static inline void added_lock_call(void (*function)(void *), struct added_lock *lock)
{
	struct task *task = task_current();
	task_touch(task);
	task->locks.added = (uint16_t)(lock->place + 1);
	function(lock->memory);
	task->locks.added = 0;
}

STACK_ENTRY(added_lock_lock)
void added_lock_lock(struct added_lock *lock)
{
	added_lock_call(lock->kind->lock, lock);
	section_begin(task_current());
}

STACK_ENTRY(added_lock_unlock)
void added_lock_unlock(struct added_lock *lock)
{
	section_end(task_current());
	added_lock_call(lock->kind->unlock, lock);
}

STACK_ENTRY(added_lock_read_lock)
void added_lock_read_lock(struct added_lock *lock)
{
	added_lock_call(lock->kind->read_lock, lock);
	section_begin(task_current());
}

STACK_ENTRY(added_lock_read_unlock)
void added_lock_read_unlock(struct added_lock *lock)
{
	section_end(task_current());
	added_lock_call(lock->kind->read_unlock, lock);
}
