/*
 * The mutex inside (heddle/mutex.h is its interface): a word and a queue.
 *
 *     FREE --lock--> LOCKED --unlock, no task waits--> FREE
 *     LOCKED --finalizer of a lock--> the newest waiter --finalizer of a lock--> a newer one
 *     a waiter --unlock, with an empty queue: all of them go into the queue, oldest first--> LOCKED
 *
 * A mutex for which no task has waited for long has other words (mutex_plain.h).
 *
 * Only the holder touches the queue. An unlock makes the queue's first waiter the holder, and the word never looks
 * free meanwhile; waiters whose waits have ended are passed over. Once others can see the new holder, or FREE, the
 * unlock touches nothing of the mutex any more: the new holder may free its memory.
 *
 * | operation      | progress                            | takes effect                  |
 * |----------------|-------------------------------------|-------------------------------|
 * | mutex_try_lock | wait-free                           | at its CAS                    |
 * | mutex_lock     | lock-free until it is in the queue  | at its CAS, or at the grant   |
 * |                | (mutex_turn apart), then first in,  | of the holder (wait.h)        |
 * |                | first out                           |                               |
 * | mutex_unlock   | lock-free; wait-free but for waits  | at its CAS or store of the    |
 * |                | that have ended                     | word, or at the grant         |
 */
#ifndef SYNC_MUTEX_H
#define SYNC_MUTEX_H

#include "heddle/mutex.h"
#include "kernel/processor.h"
#include "sync/mutex_plain.h"
#include "sync/waiter.h"

_Static_assert(offsetof(struct mutex, word) == 0 &&
                   offsetof(struct mutex, counters.acquisitions) >= CACHE_LINE,
               "`word` is on another line than what a holder uses");

extern const char mutex_kind[];

static inline void mutex_set_owner(struct mutex *mutex, struct task *task)
{
	atomic_store_explicit(&mutex->owner, task, memory_order_relaxed);
}

/* In a finalizer: take the mutex for the waiter's task, which was left, or queue it. If it was taken, the caller ends
 * the wait. MUTEX_REFUSED: neither, because it is plain, and could not be turned (mutex_plain.h). */
enum mutex_entry { MUTEX_QUEUED, MUTEX_TAKEN, MUTEX_REFUSED };
enum mutex_entry mutex_take_or_push(struct mutex *mutex, struct waiter *waiter, uint64_t ticket);

/* The finalizer of a wait for the mutex, which is the argument, at the left task's place (waiter_take()). */
void finalize_mutex_lock(struct task *left, void *mutex);

/* The holder gives up the mutex. Returns the task that has it now, which the caller makes run. NULL: no task, it is
 * free; or with `keep`, no task waits, and the caller still holds it. */
struct task *mutex_pass(struct mutex *mutex, bool keep);

/* For the holder: the first in the queue; NULL: no task waits. */
struct waiter *mutex_first(struct mutex *mutex);

/* The calling task was given the mutex: record that. HEDDLE_OK or HEDDLE_OWNER_DIED. */
enum heddle_error mutex_enter(struct mutex *mutex, struct task *task);

/* The calling task is about to give up the mutex; false: it does not hold it. */
bool mutex_leave(struct mutex *mutex, struct task *task);

/* The calling task gives the mutex to the first waiter, which is returned. The caller makes it run when its own
 * section has ended. NULL: no task waits any more, and the calling task still holds the mutex. */
struct task *mutex_hand_over(struct mutex *mutex, struct task *task);

/* Whether the calling task holds it. `owner` alone does not tell: it names a waiter before that is sure to get the
 * mutex; the waiter may have given up and gone on. */
bool mutex_is_held(const struct mutex *mutex, const struct task *task);

/* As mutex_lock(), but nothing else ends the wait: HEDDLE_OK or HEDDLE_OWNER_DIED. The caller may wait, and has taken
 * its place (waiter_take()). */
enum heddle_error mutex_lock_kept(struct mutex *mutex);

/* The task ends: each mutex that it holds goes to its first waiter. False: the task has to wait first (task_ends). */
bool mutex_release_all(struct task *task);

#endif
