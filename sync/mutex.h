/*
 * The mutex inside (heddle/mutex.h is its interface): a word and a queue.
 *
 *     FREE --lock--> LOCKED --unlock, nobody waits--> FREE
 *     LOCKED --finalizer of a lock--> the newest waiter --finalizer of a lock--> a newer one
 *     a waiter --unlock, with an empty queue: all of them go into the queue, oldest first--> LOCKED
 *
 * Only the holder touches the queue. Unlocking takes its first waiter and makes it the holder, without the
 * word ever looking free; whoever's wait has ended is passed over. Nothing of the mutex is touched after its
 * new holder, or FREE, could be seen: so that holder may free its memory.
 *
 * | operation      | progress                            | takes effect                  |
 * |----------------|-------------------------------------|-------------------------------|
 * | mutex_try_lock | wait-free                           | at its CAS                    |
 * | mutex_lock     | lock-free until it is in the queue, | at its CAS, or at the grant   |
 * |                | then first in, first out            | of the holder (wait.h)        |
 * | mutex_unlock   | lock-free; wait-free but for waits  | at its CAS of the word, or at |
 * |                | that have ended                     | the grant                     |
 */
#ifndef SYNC_MUTEX_H
#define SYNC_MUTEX_H

#include "heddle/mutex.h"
#include "sync/waiter.h"

enum { MUTEX_FREE, MUTEX_LOCKED };

extern const char mutex_kind[];

/* In a finalizer: take the mutex for the waiter's task, which has left, or queue it. Returns whether it was
 * taken; then the caller ends the wait. */
bool mutex_take_or_push(struct mutex *mutex, struct waiter *waiter, uint64_t ticket);

/* The holder gives it up, and it goes to the task that is returned, which the caller makes run; NULL: to
 * nobody, it is free; or with `keep`: nobody waits, and it is held still. */
struct task *mutex_pass(struct mutex *mutex, bool keep);

/* The holder's: the first in the queue; NULL: nobody waits. */
struct waiter *mutex_first(struct mutex *mutex);

/* The calling task was given the mutex: what a holder notes. HEDDLE_OK or HEDDLE_OWNER_DIED. */
enum heddle_error mutex_enter(struct mutex *mutex, struct task *task);

/* The calling task is about to give it up; false: it does not hold it. */
bool mutex_leave(struct mutex *mutex, struct task *task);

/* The calling task gives it to the first that waits, which is returned, and which the caller makes run, when it has
 * ended its section; NULL: nobody waits any more, and the calling task holds it still. */
struct task *mutex_hand_over(struct mutex *mutex, struct task *task);

/* Whether the calling task holds it. `owner` alone does not tell: it names a waiter before that is sure to get the
 * mutex, which may have given up, and go on. */
bool mutex_is_held(const struct mutex *mutex, const struct task *task);

/* As mutex_lock(), ended by nothing else: HEDDLE_OK or HEDDLE_OWNER_DIED. The caller may wait, and has taken the place
 * for that (waiter_take()). */
enum heddle_error mutex_lock_kept(struct mutex *mutex);

/* The task ends: whoever waits for what it holds gets it. False: it has to wait before (task_ends). */
bool mutex_release_all(struct task *task);

#endif
