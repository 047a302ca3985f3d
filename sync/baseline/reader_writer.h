/*
 * The reader-writer lock that the variants share, so that only their scheduling differs: for one writer or many
 * readers, first come, first served. A reader that comes while a task waits waits behind it. When a reader's turn has
 * come, so has that of all readers right behind it.
 *
 * `state` is changed with the word, and holds at any time:
 *     WRITING    one writes, and none reads
 *     WAITING    `waiting` is not empty; then a task writes or reads, and the first one waits for that
 *     the rest   how many read
 */
#ifndef SYNC_BASELINE_READER_WRITER_H
#define SYNC_BASELINE_READER_WRITER_H

#include "sync/baseline/spin.h"

struct reader_writer {
	struct spin_word word;
	HEDDLE_ATOMIC(uint32_t) state; /* without the word a look is a hint */
	struct task_line waiting;
};

/* Take the lock to read or to write. */
void reader_writer_lock(struct reader_writer *lock, bool writes, const char *kind);

/* The caller gives the lock up. Returns the first task that has it now, with the others linked behind it by
 * wait_cold.next. They wait to be resumed, so the links stay until then. NULL: there is none. */
struct task *reader_writer_unlock(struct reader_writer *lock, bool wrote);

#endif
