#include "sync/reader_writer_lock.h"

#include "kernel/alone.h"
#include "kernel/console.h"
#include "sched/owed.h"
#include "sync/reads.h"
#include "sync/waiter.h"

static const char kind_name[] = "reader-writer lock";

/* --------------------------------------------------------------------------------------------- holder -- */

/* `writer` alone does not tell: it may also name a task that is about to be let in, or has given up. */
static bool reader_writer_is_writer(const struct reader_writer_lock *lock, const struct task *task)
{
	const struct reader_writer_lock *written = task->locks.written;
	while (written && written != lock)
		written = written->written_next;
	return written;
}

static bool is_holder(const struct reader_writer_lock *lock, struct task *task)
{
	return reader_writer_is_writer(lock, task) || reads_has(task, lock);
}

/* The calling task was given the lock. */
static enum heddle_error begin_reading(struct reader_writer_lock *lock, struct task *task)
{
	reads_add(task, lock);
	return (enum heddle_error)lock->owner_died;
}

static void note_written(struct reader_writer_lock *lock, struct task *task)
{
	reader_writer_set_writer(lock, task);
	task_touch(task);
	lock->written_next = task->locks.written;
	task->locks.written = lock;
}

static enum heddle_error begin_writing(struct reader_writer_lock *lock, struct task *task)
{
	note_written(lock, task);
	lock->counters.acquisitions++;
	return (enum heddle_error)lock->owner_died;
}

/* The task is about to give the lock up; false: it does not write. */
static bool end_writing(struct reader_writer_lock *lock, struct task *task)
{
	/* Not always the newest: they may be given up in any order. */
	struct reader_writer_lock **link = &task->locks.written;
	while (*link && *link != lock)
		link = &(*link)->written_next;
	if (!*link)
		return false;
	*link = lock->written_next;
	reader_writer_set_writer(lock, NULL);
	return true;
}

/* ----------------------------------------------------------------------------------------------- lock -- */

static bool take_reading(struct reader_writer_lock *lock)
{
	uint64_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
	while (reader_writer_is_open(state, false))
		/* readers -> one more; acquire: what writers did before, pairs with their release and with
		 * reader_writer_queue_leave. */
		if (word_compare_exchange(&lock->state, &state, state + READER, memory_order_acquire,
		                          memory_order_relaxed))
			return true;
	return false;
}

static bool take_writing(struct reader_writer_lock *lock)
{
	uint64_t expected = 0;
	/* 0 -> WRITTEN; acquire: what was done under it before. */
	return word_compare_exchange(&lock->state, &expected, WRITTEN, memory_order_acquire,
	                             memory_order_relaxed);
}

static void finalize_reader_writer_lock(struct task *left, void *lock)
{
	uint64_t ticket = wait_leave(left);
	if (reader_writer_take_or_push(lock, left->locks.waiter, ticket))
		wait_go_on(left, ticket);
	else
		wait_arm(left, ticket);
}

static enum heddle_error reader_writer_await(struct reader_writer_lock *lock, struct task *task, bool writes,
                                             uint64_t deadline)
{
	struct wait_object object = {kind_name, lock, &lock->writer};
	enum heddle_error error = waiter_wait(task, reader_writer_use(lock, writes), &object, deadline,
	                                      finalize_reader_writer_lock, lock);
	if (error != HEDDLE_OK && writes)
		reader_writer_look_again(lock);
	return error;
}

/* A lock and an unlock that cannot be done at once, with room for them on the stack. */
enum heddle_error reader_writer_lock_contended(struct reader_writer_lock *lock, bool writes,
                                               uint64_t deadline);
enum heddle_error reader_writer_unlock_contended(struct reader_writer_lock *lock, bool writes);
__typeof__(reader_writer_lock_contended) lock_with_room STACK_ENTRY_OF(reader_writer_lock_contended);
__typeof__(reader_writer_unlock_contended) unlock_with_room STACK_ENTRY_OF(reader_writer_unlock_contended);

STACK_ENTRY(reader_writer_lock_contended)
enum heddle_error reader_writer_lock_contended(struct reader_writer_lock *lock, bool writes,
                                               uint64_t deadline)
{
	struct task *task = task_current();
	if (writes && owed_is_of(scheduler_current(), lock)) {
		reader_writer_take_back(lock);
		return begin_writing(lock, task);
	}
	if (!writes && !reads_reserve(task))
		return HEDDLE_NO_MEMORY;
	if (!writes && take_reading(lock))
		return begin_reading(lock, task);
	if (is_holder(lock, task))
		return lock_misused(writes ? "reader_writer_lock_write()" : "reader_writer_lock_read()", kind_name,
		                    lock, HEDDLE_RELOCKED);
	enum heddle_error error = reader_writer_await(lock, task, writes, deadline);
	if (error != HEDDLE_OK)
		return error;
	exchange_count(&lock->counters);
	return writes ? begin_writing(lock, task) : begin_reading(lock, task);
}

enum heddle_error reader_writer_lock_read_until(struct reader_writer_lock *lock, uint64_t deadline)
{
	struct task *task = task_current();
	if (reads_have_room(task) && __builtin_expect(take_reading(lock), 1))
		return begin_reading(lock, task);
	return lock_with_room(lock, false, deadline);
}

enum heddle_error reader_writer_lock_read(struct reader_writer_lock *lock)
{
	return reader_writer_lock_read_until(lock, HEDDLE_NO_DEADLINE);
}

enum heddle_error reader_writer_lock_try_read(struct reader_writer_lock *lock)
{
	struct task *task = task_current();
	if (!reads_reserve(task))
		return HEDDLE_NO_MEMORY;
	return take_reading(lock) ? begin_reading(lock, task) : HEDDLE_BUSY;
}

enum heddle_error reader_writer_lock_write_until(struct reader_writer_lock *lock, uint64_t deadline)
{
	if (__builtin_expect(take_writing(lock), 1))
		return begin_writing(lock, task_current());
	return lock_with_room(lock, true, deadline);
}

enum heddle_error reader_writer_lock_write(struct reader_writer_lock *lock)
{
	return reader_writer_lock_write_until(lock, HEDDLE_NO_DEADLINE);
}

enum heddle_error reader_writer_lock_try_write(struct reader_writer_lock *lock)
{
	struct task *task = task_current();
	if (take_writing(lock))
		return begin_writing(lock, task);
	return is_holder(lock, task) ? HEDDLE_RELOCKED : HEDDLE_BUSY;
}

/* --------------------------------------------------------------------------------------------- unlock -- */

/* If no task waits. */
static bool give_reading(struct reader_writer_lock *lock)
{
	uint64_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
	while (reader_writer_is_open(state, false))
		/* readers -> one less; release: what was read, pairs with the next writer. */
		if (word_compare_exchange(&lock->state, &state, state - READER, memory_order_release,
		                          memory_order_relaxed))
			return true;
	return false;
}

static bool give_writing(struct reader_writer_lock *lock)
{
	uint64_t expected = WRITTEN;
	/* WRITTEN -> 0; release: what was written, pairs with the next to take it. */
	return word_compare_exchange(&lock->state, &expected, 0, memory_order_release, memory_order_relaxed);
}

/* The calling task no longer has the lock; false: it did not have it. */
static bool reader_writer_forget(struct reader_writer_lock *lock, struct task *task, bool writes)
{
	return writes ? end_writing(lock, task) : reads_remove(task, lock);
}

STACK_ENTRY(reader_writer_unlock_contended)
enum heddle_error reader_writer_unlock_contended(struct reader_writer_lock *lock, bool writes)
{
	struct task *task = task_current();
	struct granted granted = {0};
	if (!reader_writer_forget(lock, task, writes))
		return lock_misused(writes ? "reader_writer_lock_write_unlock()" : "reader_writer_lock_read_unlock()",
		                    kind_name, lock, HEDDLE_NOT_OWNER);
	reader_writer_give(lock, writes ? WRITTEN : READER, &granted);
	extension_end(task);
	if (!writes || !reader_writer_defer(lock, &granted))
		granted_exchange(&granted);
	return HEDDLE_OK;
}

enum heddle_error reader_writer_lock_read_unlock(struct reader_writer_lock *lock)
{
	struct task *task = task_current();
	if (!reads_is_newest(task, lock) || !__builtin_expect(give_reading(lock), 1))
		return unlock_with_room(lock, false);
	reads_remove_newest(task);
	extension_make_way(task);
	return HEDDLE_OK;
}

enum heddle_error reader_writer_lock_write_unlock(struct reader_writer_lock *lock)
{
	struct task *task = task_current();
	if (__builtin_expect(task->locks.written != lock, 0))
		return unlock_with_room(lock, true);
	end_writing(lock, task);
	if (!__builtin_expect(give_writing(lock), 1)) {
		note_written(lock, task);
		return unlock_with_room(lock, true);
	}
	extension_make_way(task);
	return HEDDLE_OK;
}

/* ----------------------------------------------------------------------------------------------- more -- */

bool reader_writer_lock_is_written(const struct reader_writer_lock *lock)
{
	return reader_writer_is_writer(lock, task_current());
}

enum heddle_error reader_writer_lock_repair(struct reader_writer_lock *lock)
{
	if (!reader_writer_lock_is_written(lock))
		return lock_misused("reader_writer_lock_repair()", kind_name, lock, HEDDLE_NOT_OWNER);
	lock->owner_died = HEDDLE_OK;
	return HEDDLE_OK;
}

enum heddle_error reader_writer_lock_destroy(struct reader_writer_lock *lock)
{
	/* acquire: what was done under it. */
	if (atomic_load_explicit(&lock->state, memory_order_acquire) != 0)
		return lock_misused("reader_writer_lock_destroy()", kind_name, lock, HEDDLE_IN_USE);
	return HEDDLE_OK;
}

static void reader_writer_release(struct reader_writer_lock *lock, uint64_t share)
{
	struct granted granted = {0};
	reader_writer_give(lock, share, &granted);
	granted_publish(&granted);
}

void reader_writer_lock_release_share(struct task *task, struct reader_writer_lock *lock)
{
	log_error("task %s (%u) ends while it reads under the reader-writer lock at %p; its share is given back",
	          task->name, task->pooled.number, (void *)lock);
	reader_writer_release(lock, READER);
}

void reader_writer_lock_release_all(struct task *task)
{
	struct reader_writer_lock *lock;
	while ((lock = task->locks.written)) {
		log_error(
		    "task %s (%u) ends while it writes under the reader-writer lock at %p; the next holder is told",
		    task->name, task->pooled.number, (void *)lock);
		end_writing(lock, task);
		lock->owner_died = HEDDLE_OWNER_DIED;
		reader_writer_release(lock, WRITTEN);
	}
}
