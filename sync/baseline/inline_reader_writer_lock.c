#include "sync/baseline/inline_reader_writer_lock.h"

#include "sync/baseline/hand_over.h"

static enum heddle_error inline_lock_for(struct inline_reader_writer_lock *lock, bool writes)
{
	reader_writer_lock(&lock->lock, writes, "inline reader-writer lock");
	return HEDDLE_OK;
}

static enum heddle_error inline_unlock_of(struct inline_reader_writer_lock *lock, bool wrote)
{
	struct task *next = reader_writer_unlock(&lock->lock, wrote);
	while (next) {
		struct task *task = next;
		next = task->wait_cold.next; /* once it runs, it may wait again */
		hand_over_inline(task);
	}
	return HEDDLE_OK;
}

STACK_ENTRY(inline_read_lock)
enum heddle_error inline_read_lock(struct inline_reader_writer_lock *lock)
{
	return inline_lock_for(lock, false);
}

STACK_ENTRY(inline_read_unlock)
enum heddle_error inline_read_unlock(struct inline_reader_writer_lock *lock)
{
	return inline_unlock_of(lock, false);
}

STACK_ENTRY(inline_write_lock)
enum heddle_error inline_write_lock(struct inline_reader_writer_lock *lock)
{
	return inline_lock_for(lock, true);
}

STACK_ENTRY(inline_write_unlock)
enum heddle_error inline_write_unlock(struct inline_reader_writer_lock *lock)
{
	return inline_unlock_of(lock, true);
}
