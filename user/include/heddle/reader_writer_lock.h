/*
 * A lock for one writer or many readers, fair: who comes waits behind all who came before, so that neither
 * readers nor writers starve. The last reader switches to the writer that waits; a writer to the next writer,
 * or to the first of the readers that come next, and makes the other readers ready (exchange paper, section
 * 5.2).
 *
 * A reader that wants to write gives up reading first; a task that reads must not wait to read again while a
 * writer may wait.
 */
#ifndef HEDDLE_READER_WRITER_LOCK_H
#define HEDDLE_READER_WRITER_LOCK_H

#include "heddle/lock.h"

#ifdef __cplusplus
extern "C" {
#endif

struct reader_writer_lock {
	HEDDLE_ATOMIC(uint64_t) state; /* readers, and whether somebody writes or waits */
	HEDDLE_ATOMIC(struct task *) writer;
	struct served served;
	struct request_queue waiting;
	struct lock_counters counters; /* of writers, and of readers that waited */
};
#define READER_WRITER_LOCK_INITIALIZER HEDDLE_ZEROED

MAY_SWITCH enum heddle_error read_lock(struct reader_writer_lock *lock);
MAY_SWITCH enum heddle_error read_lock_until(struct reader_writer_lock *lock, uint64_t deadline);
enum heddle_error read_try_lock(struct reader_writer_lock *lock);

/* HEDDLE_NOT_OWNER: nobody reads, or the caller is in no critical section; nothing was changed. In an
 * uncooperative section HEDDLE_NO_MEMORY: it reads still. */
MAY_READY enum heddle_error read_unlock(struct reader_writer_lock *lock);

/* HEDDLE_RELOCKED: the caller writes already. */
MAY_SWITCH enum heddle_error write_lock(struct reader_writer_lock *lock);
MAY_SWITCH enum heddle_error write_lock_until(struct reader_writer_lock *lock, uint64_t deadline);
enum heddle_error write_try_lock(struct reader_writer_lock *lock);

/* HEDDLE_NOT_OWNER: the caller does not write; nothing was changed. In an uncooperative section
 * HEDDLE_NO_MEMORY: it writes still. A task that ends while it reads or writes is reported, and the lock
 * stays taken. */
MAY_READY enum heddle_error write_unlock(struct reader_writer_lock *lock);

/* HEDDLE_IN_USE: somebody reads, writes or waits; nothing was changed. */
enum heddle_error reader_writer_lock_destroy(struct reader_writer_lock *lock);

#ifdef __cplusplus
}
#endif

#endif
