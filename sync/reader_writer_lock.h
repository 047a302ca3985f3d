/*
 * The reader-writer lock inside (heddle/reader_writer_lock.h is its interface): a word and a queue.
 *
 * `state` is changed by a compare-and-exchange only, each way of which says all that is to be said:
 *     WRITTEN         somebody writes
 *     READER, times   so many read
 *     newest waiter   the number of the newest on the stack of those who have come, each with the one below
 *     QUEUED          the queue, of those who came before, is not empty, and nobody serves
 *     SERVED          somebody serves: has the queue to itself, and lets in whose turn it is
 *     AGAIN           whoever serves is to look once more
 *
 *     0 --read--> READER... --unlock--> 0
 *     0 <--write, unlock--> WRITTEN
 *     closed --finalizer of a lock--> closed, with a newer waiter
 *     the last READER, WRITTEN --unlock, somebody waits--> SERVED --leave--> WRITTEN, READER... or 0
 *     READER... --writer that waited gives up--> READER..., SERVED --leave--> READER..., and more of them
 *     WRITTEN --the writer before takes it back--> WRITTEN, QUEUED
 *
 * It is closed to writers unless it is 0, to readers where there is anything but READER: so nobody overtakes
 * those who wait. Somebody waits only where somebody reads, writes or serves, and the last of them lets in
 * the next. Whoever gives up does so in one step, and serves only if nobody does: an unlock waits for nobody.
 *
 * Whoever serves in an unlock lets tasks in, that is ends their waits, while nobody can get the lock; leaves,
 * and makes them run after that, when nothing of the lock is touched any more: so the last of them may free
 * its memory. Whoever serves because it has given up does so in a call that has not returned.
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
#define SHARED       UINT64_C(0x7ffffff0) /* what may be set where one more may read */
#define NEWEST_SHIFT 32

static inline bool reader_writer_is_open(uint64_t state, bool writes)
{
	return (state & ~(writes ? UINT64_C(0) : SHARED)) == 0;
}

static inline void reader_writer_set_writer(struct reader_writer_lock *lock, struct task *task)
{
	atomic_store_explicit(&lock->writer, task, memory_order_relaxed);
}

/* What a place in the queue is for (waiter.h): it tells whether its task is to write. */
static inline const void *reader_writer_use(const struct reader_writer_lock *lock, bool writes)
{
	return writes ? (const void *)&lock->writer : (const void *)&lock->state;
}

/* In a finalizer: take the lock for the waiter's task, which has left, or queue it. Returns whether it was
 * taken; then the caller ends the wait. */
bool reader_writer_take_or_push(struct reader_writer_lock *lock, struct waiter *waiter, uint64_t ticket);

/* The calling task gives up its share, WRITTEN or READER; the caller makes those run who are let in. */
void reader_writer_give(struct reader_writer_lock *lock, uint64_t share, struct granted *granted);

/* By a writer, which has given the lock up to those: whether the next one, a writer, waits for a moment
 * (reader_writer_deferral.c); if not, the caller makes them run. */
bool reader_writer_defer(struct reader_writer_lock *lock, const struct granted *granted);

/* The calling task writes again, owed_is_of(lock): the next writer waits again, the first of the queue. */
void reader_writer_take_back(struct reader_writer_lock *lock);

/* By a writer that has given up: it may be all that others, who have come after it, wait for. */
void reader_writer_look_again(struct reader_writer_lock *lock);

/* The task ends: whoever waits for what it writes under, or reads under with a share that was taken off its list, gets
 * it. */
void reader_writer_lock_release_all(struct task *task);
void reader_writer_lock_release_share(struct task *task, struct reader_writer_lock *lock);

#endif
