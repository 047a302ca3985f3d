#include "sync/baseline/dispatch_reader_writer_lock.h"

#include "sync/baseline/hand_over.h"

static enum heddle_error dispatch_lock_for(struct dispatch_reader_writer_lock *lock, bool writes)
{
	reader_writer_lock(&lock->lock, writes, "dispatch reader-writer lock");
	return HEDDLE_OK;
}

static enum heddle_error dispatch_unlock_of(struct dispatch_reader_writer_lock *lock, bool wrote)
{
	struct task *next = reader_writer_unlock(&lock->lock, wrote);
	while (next) {
		struct task *task = next;
		next = task->wait_cold.next; /* once it runs, it may wait again */
		hand_over_by_dispatch(task);
	}
	return HEDDLE_OK;
}

STACK_ENTRY(dispatch_read_lock)
enum heddle_error dispatch_read_lock(struct dispatch_reader_writer_lock *lock)
{
	return dispatch_lock_for(lock, false);
}

STACK_ENTRY(dispatch_read_unlock)
enum heddle_error dispatch_read_unlock(struct dispatch_reader_writer_lock *lock)
{
	return dispatch_unlock_of(lock, false);
}

STACK_ENTRY(dispatch_write_lock)
enum heddle_error dispatch_write_lock(struct dispatch_reader_writer_lock *lock)
{
	return dispatch_lock_for(lock, true);
}

STACK_ENTRY(dispatch_write_unlock)
enum heddle_error dispatch_write_unlock(struct dispatch_reader_writer_lock *lock)
{
	return dispatch_unlock_of(lock, true);
}
