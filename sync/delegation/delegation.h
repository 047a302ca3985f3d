/*
 * Delegation inside (heddle/qd_lock.h is its interface). A lock has two parts:
 *
 * The mutex says which task holds the lock. It is Heddle's own, so a task that must wait is suspended in its queue,
 * and gets the mutex by exchange. A place in that queue may say that its task only wants a section carried out
 * (waiter.h): the holder then does that, without giving the lock up. Or that it only wants room in the queue for a
 * message that it has yet to write: the holder then lets it try again.
 *
 * The queue is a ring of slots (queue.h). `tail` counts the slots that were ever taken, and has a bit that says whether
 * tasks other than the holder may take more; `head` counts those that are empty again. Only the holder opens and closes
 * the queue. It is open only while a task holds the lock that looks at it again before it gives the lock up:
 *
 *     CLOSED, empty --holder: qd_open--> OPEN --delegator: CAS of the tail--> OPEN, one more
 *     OPEN, empty --holder: qd_close_empty, CAS of the tail--> CLOSED, empty, and the mutex is given up
 *     OPEN --holder: qd_close, the limit is reached, or it ends--> CLOSED, with a rest; the mutex goes to the first
 * that waits for it, which carries out the rest before all else; if none waits, the holder does, and then gives it up.
 * Whether one waits is known only when the mutex was handed over (mutex_hand_over): all waiting tasks may give up.
 *
 * So the mutex is never free while the queue is open or has a rest. A task that finds the queue closed or full, and
 * the mutex held, enters the mutex's queue in one step that fails if the mutex is free (mutex_take_or_push): no
 * delegation is left where no task looks. A task that opens the queue while it waits for readers, or for the outer
 * mutex, waits by a wait that cannot fail: it can wait, and has a place in that mutex's queue.
 *
 * Nothing is kept per processor: all tasks migrate. What a task has is in struct task_locks: the buffer that it has
 * open, and the lock whose section it carries out.
 *
 * A task may end in any section that it carries out (qd_owner_ends). What it was doing is recorded in the lock and in
 * struct task_locks, so it carries out no section while it has a buffer open. On the processor's stack it cannot wait
 * for another task's buffer: then the task waits on its own stack, and tries again (task_ends).
 */
#ifndef SYNC_DELEGATION_DELEGATION_H
#define SYNC_DELEGATION_DELEGATION_H

#include "heddle/mrqd_lock.h"
#include "sched/ready.h"
#include "sync/delegation/queue.h"
#include "sync/exchange.h"
#include "sync/mutex.h"

/* A delegation whose task waits until it is carried out. It is on that task's stack. States of the task's
 * `delegated`:
 *
 *     PENDING --holder: carried out--> DONE
 *     PENDING --finalizer--> SUSPENDED --holder: carried out--> DONE, and the task is made to go on
 *     SUSPENDED, of one that waits for the mutex, may also end when it is given the mutex
 */
enum { QD_PENDING, QD_SUSPENDED, QD_DONE };

struct qd_waiting {
	qd_section section; /* NULL: a turn, when the helper has carried out all that is queued */
	size_t size;
	void *message;
	struct task *task;
	uint64_t ticket;
	enum heddle_error outcome; /* when DONE */
};

/* A delegation by the holder itself that found the queue full. */
struct qd_nested {
	struct qd_nested *next;
	uint64_t position; /* the tail then: the slots before it come first */
	size_t bytes;
	struct qd_slot slot; /* and the rest of the message behind it */
};

/* What to do if the caller has to wait. */
enum qd_patience { QD_KEPT, QD_UNTIL, QD_NOT };

extern const char qd_kind[];

/* Whether `task`, the calling one, holds the lock. */
static inline bool qd_is_owner(const struct qd_lock *lock, const struct task *task)
{
	/* `owner` may still name a task that has given up waiting; that must not pass for the holder. */
	return __builtin_expect(atomic_load_explicit(&lock->mutex.owner, memory_order_relaxed) == task, 0) &&
	       mutex_is_held(&lock->mutex, task);
}

/* ----- Delegators ----- */

/* The slot was QD_AWAITED: its holder goes on. */
void qd_awaited(struct qd_lock *lock, struct qd_slot *slot);

/* Returns whether the holder waits for it: then the caller calls qd_awaited(). */
static inline bool qd_fill(struct qd_slot *slot, uintptr_t value)
{
	/* EMPTY, AWAITED -> value; release: the message, acquire: the holder's wait; both pair with qd_await. */
	return __builtin_expect(
	    atomic_exchange_explicit(&slot->section, value, memory_order_acq_rel) == QD_AWAITED, 0);
}

/* The message is written. After this nothing of the lock or the slot may be touched. Wait-free; takes effect at its
 * exchange of the slot. */
static inline void qd_publish(struct qd_lock *lock, struct qd_slot *slot, qd_section section)
{
	if (qd_fill(slot, (uintptr_t)section))
		qd_awaited(lock, slot);
}

/* ----- Waits (await.c) ----- */

/* Prepare the wait that qd_first() needed, for a task that ends (task_ends). */
void qd_first_at_end(struct qd_lock *lock, struct task *task);

static inline bool qd_is_done(const struct task *task)
{
	/* acquire: what the section did, from end_wait. */
	return atomic_load_explicit(&task->locks.delegated, memory_order_acquire) == QD_DONE;
}

/* Wait in the mutex's queue until the section was carried out, or the caller holds the mutex; qd_is_done() tells which.
 * The caller may wait. */
enum heddle_error qd_await_turn(struct qd_lock *lock, struct qd_waiting *waiting);

/* The section is queued: wait until it was carried out. */
enum heddle_error qd_await_done(struct qd_lock *lock, struct qd_waiting *waiting);

/* ----- The holder (help.c) ----- */

/* The caller has just got the mutex. Wait until the readers, and holders of outer locks, have left; carry out what is
 * left in the queue; and, with `open`, let others delegate, with QD_KEPT also while it waits. An error: the caller
 * has not got the lock, and the mutex was given up; with QD_KEPT only HEDDLE_BUSY, if there is no memory to wait. */
enum heddle_error qd_enter(struct qd_lock *lock, bool open, enum qd_patience patience, uint64_t deadline);

/* Carry out a section of the caller's own. */
void qd_run(struct qd_lock *lock, qd_section section, size_t size, void *message);

/* Carry out what was delegated, and give the lock up. HEDDLE_UNCOOPERATIVE: the caller still holds it. */
enum heddle_error qd_leave(struct qd_lock *lock);

/* Add a delegation by the holder for which the queue has no room; NULL: no memory. */
struct qd_slot *qd_nest(struct qd_lock *lock, size_t size);

/* A panic, if the task has a buffer open or is in a section: it must not be switched then (lock_refuses_switch). */
void qd_refuse_switch(const char *function, const struct task *task);

/* The task ends with a buffer open. */
void qd_abandon_buffer(struct task *task);

/* ----- Readers (readers.c) ----- */

static inline struct mrqd_lock *mrqd_of(struct qd_lock *lock)
{
	return (struct mrqd_lock *)((char *)lock - offsetof(struct mrqd_lock, lock));
}

/* The share of a task that reads (sync/reads.h): the address, marked. */
static inline const void *mrqd_share(const struct mrqd_lock *lock)
{
	return (const char *)lock + 1;
}

static inline bool mrqd_is_share(const void *share)
{
	return (uintptr_t)share & 1;
}

/* The task ends, and the share was taken off its list. */
void mrqd_release_share(struct task *task, const void *share);

bool mrqd_is_read(struct mrqd_lock *lock);

/* For the holder: wait until no task reads. HEDDLE_UNCOOPERATIVE, HEDDLE_BUSY, and errors of wait_begin(). */
enum heddle_error mrqd_await_readers(struct mrqd_lock *lock, enum qd_patience patience, uint64_t deadline);

#endif
