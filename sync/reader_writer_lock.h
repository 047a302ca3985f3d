/*
 * The reader-writer lock inside (heddle/reader_writer_lock.h is its interface): a word and a queue.
 *
 * `state` is the whole state, and only a compare-and-exchange changes it:
 *     WRITTEN         a task writes
 *     READER, times   the number of readers
 *     newest waiter   the number of the newest on the stack of arrivals; each is linked to the one below
 *     QUEUED          the queue, of earlier arrivals, is not empty, and no task serves
 *     SERVED          a task serves: it has the queue to itself, and lets in the next
 *     AGAIN           the task that serves must look once more
 *
 *     0 --read--> READER... --unlock--> 0
 *     0 <--write, unlock--> WRITTEN
 *     closed --finalizer of a lock--> closed, with a newer waiter
 *     the last READER, WRITTEN --unlock, some wait--> SERVED --leave--> WRITTEN, READER... or 0
 *     READER... --writer that waited gives up--> READER..., SERVED --leave--> READER..., and more of them
 *     WRITTEN --the writer before takes it back--> WRITTEN, QUEUED
 *
 * The lock is closed to writers unless it is 0, and to readers if there is anything but READER: so no task overtakes
 * those that wait. Tasks wait only while another reads, writes or serves, and the last of these lets in the next. A
 * task gives the lock up in one step, and serves only if no other does: an unlock waits for no task.
 *
 * A task that serves in an unlock first lets tasks in: it ends their waits, while no other can get the lock. Then it
 * leaves, and only then makes them run, when nothing of the lock is touched any more. So the last of them may free
 * its memory. A task that serves because it has given up waiting does so in a call that has not returned.
 *
 * | operation           | progress                            | takes effect                       |
 * |---------------------|-------------------------------------|------------------------------------|
 * | try_read, try_write | lock-free                           | at its CAS                         |
 * | read, write         | lock-free until it is in the queue, | at its CAS, or at the grant of the |
 * |                     | then first in, first out            | one that serves (wait.h)           |
 * | both unlocks        | lock-free                           | at its CAS                         |
 */
#ifndef SYNC_READER_WRITER_LOCK_H
#define SYNC_READER_WRITER_LOCK_H

#include "heddle/reader_writer_lock.h"
#include "sync/serve.h"
#include "sync/waiter.h"

#define WRITTEN      UINT64_C(1)
#define SERVED       UINT64_C(2)
#define QUEUED       UINT64_C(4)
#define AGAIN        UINT64_C(8)
#define READER       UINT64_C(16)
#define READERS      UINT64_C(0xfffffff0)
#define SHARED       UINT64_C(0x7ffffff0) /* the bits that may be set when one more may read */
#define NEWEST_SHIFT 32

static inline bool reader_writer_is_open(uint64_t state, bool writes)
{
	return (state & ~(writes ? UINT64_C(0) : SHARED)) == 0;
}

static inline void reader_writer_set_writer(struct reader_writer_lock *lock, struct task *task)
{
	atomic_store_explicit(&lock->writer, task, memory_order_relaxed);
}

/* The use of a place in the queue (waiter.h): it tells whether its task wants to write. */
static inline const void *reader_writer_use(const struct reader_writer_lock *lock, bool writes)
{
	return writes ? (const void *)&lock->writer : (const void *)&lock->state;
}

/* In a finalizer: take the lock for the waiter's task, which was left, or queue it. Returns whether it was taken;
 * then the caller ends the wait. */
bool reader_writer_take_or_push(struct reader_writer_lock *lock, struct waiter *waiter, uint64_t ticket);

/* The calling task gives up its share, WRITTEN or READER. The caller makes the tasks run that this lets in. */
void reader_writer_give(struct reader_writer_lock *lock, uint64_t share, struct granted *granted);

/* Called by a writer that has given the lock up to `granted`: whether the next holder, a writer, waits for a moment
 * (reader_writer_deferral.c). If not, the caller makes them run. */
bool reader_writer_defer(struct reader_writer_lock *lock, const struct granted *granted);

/* The calling task writes again, owed_is_of(lock): the next writer waits again, as the first of the queue. */
void reader_writer_take_back(struct reader_writer_lock *lock);

/* Called by a writer that has given up waiting: later arrivals may be waiting only for it. */
void reader_writer_look_again(struct reader_writer_lock *lock);

/* The task ends: give what it writes under to the next; likewise what it reads under with a share that was taken off
 * its list. */
void reader_writer_lock_release_all(struct task *task);
void reader_writer_lock_release_share(struct task *task, struct reader_writer_lock *lock);

#endif
