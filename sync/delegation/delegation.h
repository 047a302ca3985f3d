/*
 * Delegation inside (heddle/qd_lock.h is its interface). Two things make up a lock:
 *
 * The mutex says who holds the lock, and it is Heddle's own, so that whoever must wait is suspended in its
 * queue and gets it by exchange. A place in that queue may say that its task wants no more than a section
 * carried out (waiter.h): the holder then does that, without giving the lock up.
 *
 * The queue is a ring of slots. `tail` counts the slots that were ever taken, and has a bit that says whether
 * others than the holder may take more; `head` counts those that are empty again. Only the holder opens and
 * closes it, and it is open only while somebody holds the lock who looks at it again before that ends:
 *
 *     CLOSED, empty --holder: qd_open--> OPEN --delegator: CAS of the tail--> OPEN, one more
 *     OPEN, empty --holder: qd_close_empty, CAS of the tail--> CLOSED, empty, and the mutex is given up
 *     OPEN --holder: qd_close, the limit is reached, or it ends--> CLOSED, with a rest; the mutex goes to who
 * waits for it, who carries out the rest before all else; or if nobody does, the holder does, and then gives
 * it up. Whether somebody does is known when the mutex was handed over (mutex_hand_over), not before: all who
 * wait may give up.
 *
 * So the mutex is never free while the queue is open or has a rest. Who finds the queue closed or full, and
 * the mutex held, goes to the mutex's queue in one step that fails if it is free (mutex_take_or_push): no
 * delegation is left behind where nobody looks. And who opens the queue while it waits for readers, or for the
 * outer mutex, waits by a wait that cannot fail: it can wait, and has a place in that mutex's queue.
 *
 * A slot, by the word `section`:
 *
 *     EMPTY --delegator: the message is written--> a section --holder: carried out--> EMPTY
 *     EMPTY --delegator: its message does not fit before the end of the ring--> SKIPPED --holder--> EMPTY
 *     EMPTY --holder's finalizer: it waits for the buffer to be closed--> AWAITED
 *     AWAITED --delegator: as from EMPTY, and it makes the holder go on--> a section, or SKIPPED
 *
 * A taken slot is always brought out of EMPTY by who took it, at once or, of qd_delegate_or_lock(), before
 * its task can be switched away: else the holder would wait for ever. That holds for the slots that are
 * skipped at the end of the ring as well.
 *
 * Nothing is kept for a processor: all tasks migrate. What a task has is in struct task: the buffer that it
 * has open, and the lock of which it carries out a section.
 *
 * The end of a task (qd_owner_ends) may come in any section that it carries out. What it was in the middle of is
 * in the lock and in struct task, so it carries out none while it has a buffer open. On the processor's stack it
 * cannot wait for a buffer of another's: then the task does so on its own, and tries again (task_ends).
 */
#ifndef SYNC_DELEGATION_DELEGATION_H
#define SYNC_DELEGATION_DELEGATION_H

#include "heddle/mrqd_lock.h"
#include "sched/ready.h"
#include "sync/exchange.h"
#include "sync/mutex.h"

/* A delegation whose task waits until it is carried out: on its stack. `delegated`, of the task:
 *
 *     PENDING --holder: carried out--> DONE
 *     PENDING --finalizer--> SUSPENDED --holder: carried out--> DONE, and the task is made to go on
 *     SUSPENDED, of one that waits for the mutex, may also end by that it is given the mutex
 */
enum { QD_PENDING, QD_SUSPENDED, QD_DONE };

struct qd_waiting {
	qd_section section;
	size_t size;
	void *message;
	struct task *task;
	uint64_t ticket;
	enum heddle_error outcome; /* when DONE */
};

/* A delegation by the holder itself that found the queue full. */
struct qd_nested {
	struct qd_nested *next;
	uint64_t position; /* the tail then: what is before that comes first */
	size_t bytes;
	struct qd_slot slot; /* and the rest of the message behind it */
};

/* How to go about what has to be waited for. */
enum qd_patience { QD_KEPT, QD_UNTIL, QD_NOT };

extern const char qd_kind[];

/* ----- The queue (queue.c) ----- */

/* Slots that a message takes. */
static inline uint64_t qd_slots_of(size_t size)
{
	return size <= HEDDLE_QD_MESSAGE_FIRST
	           ? 1
	           : 1 + (size - HEDDLE_QD_MESSAGE_FIRST + HEDDLE_QD_SLOT_SIZE - 1) / HEDDLE_QD_SLOT_SIZE;
}

/* The message of that slot, and the ones behind it. */
static inline void *qd_message(struct qd_slot *slot)
{
	return (char *)slot + offsetof(struct qd_slot, message);
}

/* Whether the task, the calling one, holds it. */
static inline bool qd_is_owner(const struct qd_lock *lock, const struct task *task)
{
	/* A task that has given up waiting may be named for a while: then it must not pass for the holder. */
	return __builtin_expect(atomic_load_explicit(&lock->mutex.owner, memory_order_relaxed) == task, 0) &&
	       mutex_is_held(&lock->mutex, task);
}

/* Take slots for a message, to be published; NULL: the queue is full or closed. `inside`: by the holder, for
 * whom it is not closed. */
struct qd_slot *qd_take(struct qd_lock *lock, size_t size, bool inside);

/* The message is written. After this nothing of the lock or the slot may be touched. */
void qd_publish(struct qd_lock *lock, struct qd_slot *slot, qd_section section);

bool qd_is_open(const struct qd_lock *lock);

/* The holder's: */
void qd_open(struct qd_lock *lock);
void qd_close(struct qd_lock *lock);
bool qd_close_empty(struct qd_lock *lock); /* false: it is not empty */
uint64_t qd_end(const struct qd_lock *lock);
bool qd_has_rest(const struct qd_lock *lock);

/* The first section in the queue, before slot number `end`, waiting until its buffer is closed; NULL in
 * *first: there is none. False: it must not wait. */
bool qd_first(struct qd_lock *lock, uint64_t end, struct qd_slot **first);

/* What it would have waited for: a task that ends has to (task_ends). */
void qd_first_at_end(struct qd_lock *lock, struct task *task);

/* It was carried out. */
void qd_retire(struct qd_lock *lock, struct qd_slot *slot);

/* ----- The holder (help.c) ----- */

/* The caller has just got the mutex: wait for who must have left, carry out what is left in the queue, and,
 * with `open`, let others delegate, with QD_KEPT while it waits as well. An error: it has not got the lock, and the
 * mutex was given up; of QD_KEPT only HEDDLE_BUSY, where there is no memory to wait. */
enum heddle_error qd_enter(struct qd_lock *lock, bool open, enum qd_patience patience, uint64_t deadline);

/* Carry out a section of the caller's own. */
void qd_run(struct qd_lock *lock, qd_section section, size_t size, void *message);

/* Carry out what was delegated and give the lock up. HEDDLE_UNCOOPERATIVE: it is held still. */
enum heddle_error qd_leave(struct qd_lock *lock);

/* Add a delegation of the holder's, for which the queue has no room; NULL: no memory. */
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

/* What a task that reads has of it (sync/reads.h): the address, marked. */
static inline const void *mrqd_share(const struct mrqd_lock *lock)
{
	return (const char *)lock + 1;
}

static inline bool mrqd_is_share(const void *share)
{
	return (uintptr_t)share & 1;
}

/* The task ends, and it was taken off its list. */
void mrqd_release_share(struct task *task, const void *share);

bool mrqd_is_read(struct mrqd_lock *lock);

/* The holder's: wait until nobody reads. HEDDLE_UNCOOPERATIVE, HEDDLE_BUSY, and errors of wait_begin(). */
enum heddle_error mrqd_await_readers(struct mrqd_lock *lock, enum qd_patience patience, uint64_t deadline);

#endif
