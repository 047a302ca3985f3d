/*
 * A reader-writer lock whose unlock makes the next holders ready, and goes on.
 */
#ifndef SYNC_BASELINE_DISPATCH_READER_WRITER_LOCK_H
#define SYNC_BASELINE_DISPATCH_READER_WRITER_LOCK_H

#include "sync/baseline/reader_writer.h"

struct dispatch_reader_writer_lock {
	struct reader_writer lock;
};

/* All return HEDDLE_OK. */
HEDDLE_MAY_SWITCH enum heddle_error dispatch_read_lock(struct dispatch_reader_writer_lock *lock);
HEDDLE_MAY_WAKE enum heddle_error dispatch_read_unlock(struct dispatch_reader_writer_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error dispatch_write_lock(struct dispatch_reader_writer_lock *lock);
HEDDLE_MAY_WAKE enum heddle_error dispatch_write_unlock(struct dispatch_reader_writer_lock *lock);

#endif
