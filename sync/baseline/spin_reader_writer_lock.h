/*
 * A reader-writer lock with the exchange paper's scheduling (section 5.2): the last reader exchanges to the waiting
 * writer; a writer exchanges to the next writer, or to the first of the next readers, and makes the others ready.
 */
#ifndef SYNC_BASELINE_SPIN_READER_WRITER_LOCK_H
#define SYNC_BASELINE_SPIN_READER_WRITER_LOCK_H

#include "sync/baseline/reader_writer.h"

struct spin_reader_writer_lock {
	struct reader_writer lock;
};

/* All return HEDDLE_OK. */
HEDDLE_MAY_SWITCH enum heddle_error spin_read_lock(struct spin_reader_writer_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error spin_read_unlock(struct spin_reader_writer_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error spin_write_lock(struct spin_reader_writer_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error spin_write_unlock(struct spin_reader_writer_lock *lock);

#endif
