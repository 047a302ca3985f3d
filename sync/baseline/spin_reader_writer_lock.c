#include "sync/baseline/spin_reader_writer_lock.h"

#include "sync/baseline/hand_over.h"

static enum heddle_error spin_lock_for(struct spin_reader_writer_lock *lock, bool writes)
{
	reader_writer_lock(&lock->lock, writes, "spin reader-writer lock");
	return HEDDLE_OK;
}

static enum heddle_error spin_unlock_of(struct spin_reader_writer_lock *lock, bool wrote)
{
	struct task *first = reader_writer_unlock(&lock->lock, wrote);
	if (!first)
		return HEDDLE_OK;
	for (struct task *next = first->wait_cold.next; next;) {
		struct task *task = next;
		next = task->wait_cold.next; /* once it runs, it may wait again */
		ready_publish(task);
	}
	hand_over_by_exchange(first);
	return HEDDLE_OK;
}

STACK_ENTRY(spin_read_lock)
enum heddle_error spin_read_lock(struct spin_reader_writer_lock *lock)
{
	return spin_lock_for(lock, false);
}

STACK_ENTRY(spin_read_unlock)
enum heddle_error spin_read_unlock(struct spin_reader_writer_lock *lock)
{
	return spin_unlock_of(lock, false);
}

STACK_ENTRY(spin_write_lock)
enum heddle_error spin_write_lock(struct spin_reader_writer_lock *lock)
{
	return spin_lock_for(lock, true);
}

STACK_ENTRY(spin_write_unlock)
enum heddle_error spin_write_unlock(struct spin_reader_writer_lock *lock)
{
	return spin_unlock_of(lock, true);
}
