/*
 * A reader-writer lock whose unlock runs the next holders, one after the other, as nested calls would. Readers have
 * the lock while those before them run.
 */
#ifndef SYNC_BASELINE_INLINE_READER_WRITER_LOCK_H
#define SYNC_BASELINE_INLINE_READER_WRITER_LOCK_H

#include "sync/baseline/reader_writer.h"

struct inline_reader_writer_lock {
	struct reader_writer lock;
};

/* All return HEDDLE_OK. */
HEDDLE_MAY_SWITCH enum heddle_error inline_read_lock(struct inline_reader_writer_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error inline_read_unlock(struct inline_reader_writer_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error inline_write_lock(struct inline_reader_writer_lock *lock);
HEDDLE_MAY_SWITCH enum heddle_error inline_write_unlock(struct inline_reader_writer_lock *lock);

#endif
