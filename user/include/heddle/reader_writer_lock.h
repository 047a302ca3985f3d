/*
 * A fair lock for one writer or many readers: each task waits behind all that came before it, so neither readers nor
 * writers starve. The last reader switches to the waiting writer. A writer switches to the next writer, or to the
 * first of the next readers, and makes the other readers ready (exchange paper, section 5.2).
 *
 * A task may read several times at once under one lock; each time needs an unlock of its own. But a reader must not
 * wait to write or, behind a waiting writer, to read again: it would wait for itself.
 *
 * If the next is a writer, a writer's unlock may defer the switch, as a mutex's does (heddle/mutex.h).
 *
 * A spent quantum does not switch a reader or writer away: the switch comes at the unlock, or when a bounded
 * extension is spent.
 *
 * If a writer ends or faults, that is reported, and the next task gets the lock with HEDDLE_OWNER_DIED: it holds the
 * lock, but the protected data may be half changed. So does every later reader or writer, until a writer calls
 * reader_writer_lock_repair(). If a reader ends or faults, that is reported and its shares are given back. It has
 * changed nothing, so others are not told.
 */
#ifndef HEDDLE_READER_WRITER_LOCK_H
#define HEDDLE_READER_WRITER_LOCK_H

#include "heddle/lock.h"

HEDDLE_BEGIN

struct reader_writer_lock {
	HEDDLE_ATOMIC(uint64_t) state; /* readers, writer, waiting tasks */
	HEDDLE_ATOMIC(struct task *) writer;
	struct waiter *first, *last;             /* in the order in which they get the lock */
	struct reader_writer_lock *written_next; /* the writer's: other locks that it holds for writing */
	uint8_t owner_died; /* what locking returns: HEDDLE_OK, or HEDDLE_OWNER_DIED until it is repaired */
	struct lock_counters counters; /* of writers, and of readers that waited */
	struct deferral deferral;      /* of writers' unlocks, where another writer is next (heddle/mutex.h) */
};
#define HEDDLE_READER_WRITER_LOCK_INITIALIZER HEDDLE_ZEROED

/* Read. HEDDLE_RELOCKED: the caller writes, or reads already and would have to wait. HEDDLE_OWNER_DIED as above.
 * HEDDLE_NO_MEMORY: also for a task that reads under more than eight locks, which must be recorded. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error reader_writer_lock_read(struct reader_writer_lock *lock);

/* The same, waiting until `deadline` (heddle_clock()) at most. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error reader_writer_lock_read_until(struct reader_writer_lock *lock,
                                                                              uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY: a task writes, or waits. */
enum heddle_error reader_writer_lock_try_read(struct reader_writer_lock *lock);

/* Give a share back; the last one hands the lock to the waiting task. HEDDLE_NOT_OWNER: the caller does not read
 * under this lock; nothing was changed. Best unlock in the opposite order: a lock is looked for among those taken
 * since. In an uncooperative section the waiting task is made ready, not switched to. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error reader_writer_lock_read_unlock(struct reader_writer_lock *lock);

/* Write; HEDDLE_RELOCKED: the caller writes or reads already; HEDDLE_OWNER_DIED as above. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error reader_writer_lock_write(struct reader_writer_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error
reader_writer_lock_write_until(struct reader_writer_lock *lock, uint64_t deadline);
enum heddle_error reader_writer_lock_try_write(struct reader_writer_lock *lock);

/* Give it to the waiting tasks. HEDDLE_NOT_OWNER: the caller does not write; nothing was changed. In an uncooperative
 * section they are made ready, not switched to. */
HEDDLE_MAY_WAKE enum heddle_error reader_writer_lock_write_unlock(struct reader_writer_lock *lock);

/* Whether the caller writes. Takes time in proportion to the locks under which it has begun to write since. */
bool reader_writer_lock_is_written(const struct reader_writer_lock *lock);

/* The protected data is in order again. HEDDLE_NOT_OWNER: the caller does not write. */
enum heddle_error reader_writer_lock_repair(struct reader_writer_lock *lock);

/* Declare that it is not used any more. HEDDLE_IN_USE: a task reads, writes or waits; nothing was changed. */
enum heddle_error reader_writer_lock_destroy(struct reader_writer_lock *lock);

HEDDLE_END

#endif
