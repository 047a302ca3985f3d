/*
 * A lock for one writer or many readers, fair: who comes waits behind all who came before, so that neither
 * readers nor writers starve. The last reader switches to the writer that waits; a writer to the next writer,
 * or to the first of the readers that come next, and makes the other readers ready (exchange paper, section
 * 5.2).
 *
 * A task may read under a lock several times at once; each time is a share that it gives back by an unlock of
 * its own. But a task that reads must not wait to write, or, behind a writer that waits, to read once more:
 * it would wait for itself.
 *
 * Where the next is a writer, a writer's unlock may switch to it a moment later, as a mutex's does (heddle/mutex.h).
 *
 * A spent quantum does not switch a reader or writer away: the switch comes at the unlock, or when a bounded
 * extension is spent.
 *
 * A writer that ends or faults is reported, and the next one gets the lock with HEDDLE_OWNER_DIED: it does
 * hold the lock, and what the lock protects may be half changed. So does everybody after it, reader or
 * writer, until a writer calls reader_writer_lock_repair(). A reader that ends or faults is reported, and its
 * shares are given back; since it has changed nothing, nobody is told.
 */
#ifndef HEDDLE_READER_WRITER_LOCK_H
#define HEDDLE_READER_WRITER_LOCK_H

#include "heddle/lock.h"

HEDDLE_BEGIN

struct reader_writer_lock {
	HEDDLE_ATOMIC(uint64_t) state; /* who reads, writes, waits */
	HEDDLE_ATOMIC(struct task *) writer;
	struct waiter *first, *last;             /* in the order in which they get the lock */
	struct reader_writer_lock *written_next; /* the writer's: others that it writes under */
	bool owner_died;
	struct lock_counters counters; /* of writers, and of readers that waited */
	struct deferral deferral;      /* of writers' unlocks, where another writer is next (heddle/mutex.h) */
};
#define HEDDLE_READER_WRITER_LOCK_INITIALIZER HEDDLE_ZEROED

/* Read; HEDDLE_RELOCKED: the caller writes, or reads already and would have to wait; HEDDLE_OWNER_DIED as
 * above. A task that reads under more than eight locks needs memory for what is to be noted of that:
 * HEDDLE_NO_MEMORY. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error reader_writer_lock_read(struct reader_writer_lock *lock);

/* The same, waiting until `deadline` (heddle_clock()) at most. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error reader_writer_lock_read_until(struct reader_writer_lock *lock,
                                                                              uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY: somebody writes, or waits. */
enum heddle_error reader_writer_lock_try_read(struct reader_writer_lock *lock);

/* Give a share back; the last one goes to whoever waits. HEDDLE_NOT_OWNER: the caller does not read under
 * this lock; nothing was changed. Locks are best unlocked in the opposite order: others are looked for among
 * those that came since. In an uncooperative section who waits is made ready instead of switched to. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error reader_writer_lock_read_unlock(struct reader_writer_lock *lock);

/* Write; HEDDLE_RELOCKED: the caller writes or reads already; HEDDLE_OWNER_DIED as above. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error reader_writer_lock_write(struct reader_writer_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error
reader_writer_lock_write_until(struct reader_writer_lock *lock, uint64_t deadline);
enum heddle_error reader_writer_lock_try_write(struct reader_writer_lock *lock);

/* Give it to whoever waits. HEDDLE_NOT_OWNER: the caller does not write; nothing was changed. In an
 * uncooperative section they are made ready instead of switched to. */
HEDDLE_MAY_WAKE enum heddle_error reader_writer_lock_write_unlock(struct reader_writer_lock *lock);

/* What the lock protects is in order again. HEDDLE_NOT_OWNER: the caller does not write. */
enum heddle_error reader_writer_lock_repair(struct reader_writer_lock *lock);

/* Say that nobody will use it any more. HEDDLE_IN_USE: somebody reads, writes or waits; nothing was changed.
 */
enum heddle_error reader_writer_lock_destroy(struct reader_writer_lock *lock);

HEDDLE_END

#endif
