/*
 * A delegation lock (queue delegation; delegation paper, sections 2 and 3): a task that finds the lock held puts its
 * section, a function and a message, into the lock's queue, and goes on. The task that holds the lock, the helper,
 * runs the sections in the queue before it gives up the lock.
 *
 * The queue is the caller's memory. So a lock inside a structure is small, each lock has the length that it needs,
 * and both can be static:
 *
 *     static struct qd_slot slots[HEDDLE_QD_SLOTS];
 *     static struct qd_lock lock = HEDDLE_QD_LOCK_INITIALIZER(slots, HEDDLE_QD_SLOTS, HEDDLE_QD_LIMIT);
 *
 * Order: sections run in the order in which their delegations took effect, those of one task in the order in which it
 * delegated them, and one at a time: no section runs together with another one, a holder or a reader. A task that has
 * got the lock, or whose qd_delegate_wait() has returned, sees the effects of everything delegated to the lock
 * before.
 *
 * A section runs in the helper's task, in an uncooperative section: it may delegate, to this lock and to others, and
 * unlock others, but not wait. A call that would have to wait returns HEDDLE_UNCOOPERATIVE; a call that always
 * switches (task_yield()) is a panic that names the lock and the task. If the quantum is spent meanwhile, the switch
 * comes after the section.
 *
 * Helping is bounded. After `limit` sections of others the helper closes the queue. If a task waits for the lock, it
 * gets it together with the rest of the queue, which it runs first, and which counts against its own limit. If none
 * waits, or all waiting tasks have given up, the helper runs the rest itself. So a task helps with at most as many
 * sections as the limit or the queue, whichever is larger, plus one queue.
 *
 * From inside a section of the same lock, or while holding it:
 *   qd_delegate(), qd_delegate_or_lock()  the section is queued behind the others; if the queue
 *                                         is full, in memory of the heap (HEDDLE_NO_MEMORY)
 *   qd_delegate_wait()                    it runs at once, before what is queued
 *   qd_lock(), qd_try_lock()              HEDDLE_RELOCKED
 *
 * Waiting is passive: the task is suspended. Only qd_lock_until() has a deadline, and task_cancel() ends only the
 * waits of qd_lock_until() and qd_lock(): a delegated section cannot be taken back.
 *
 * If a helper ends by a fault in a section, that section counts as run, and its qd_delegate_wait() returns
 * HEDDLE_OWNER_DIED. After that, or when a task ends while it holds the lock, the next task that gets the lock runs
 * the rest; if none waits, the end of the task does. A task that gets the lock itself is told HEDDLE_OWNER_DIED,
 * until mutex_repair(&lock->mutex).
 *
 * | operation           | progress                            | takes effect                |
 * |---------------------|-------------------------------------|-----------------------------|
 * | qd_delegate         | lock-free while the queue has room; | at its CAS of the tail, or  |
 * |                     | else as qd_lock                     | when it is carried out      |
 * | qd_delegate_wait    | the same until it is queued, then   | the same                    |
 * |                     | until it is carried out             |                             |
 * | qd_delegate_or_lock | as qd_delegate                      | at its CAS of the tail, or  |
 * |                     |                                     | as qd_lock                  |
 * | qd_close_buffer     | wait-free                           | at its exchange of the slot |
 * | qd_lock             | first in, first out with all others | as mutex_lock (mutex.h)     |
 * |                     | that wait for this lock             |                             |
 * | qd_unlock           | the larger of limit and queue, and  | at the CAS that closes the  |
 * |                     | the queue again, at most; waits for | queue                       |
 * |                     | buffers that are open               |                             |
 */
#ifndef HEDDLE_QD_LOCK_H
#define HEDDLE_QD_LOCK_H

#include "heddle/mutex.h"

enum heddle_qd_kind { HEDDLE_QD_PLAIN, HEDDLE_QD_READERS, HEDDLE_QD_NODE };

HEDDLE_BEGIN

/* A delegated section: the message that came with it, where it lies now, and its size in bytes. In C++ no exception may
 * leave it: the process ends (heddle/delegation.hpp has sections that may throw). */
typedef void (*qd_section)(size_t size, void *message);

/* A slot of the queue. A section takes one for the first HEDDLE_QD_MESSAGE_FIRST bytes of its message, and as many
 * more as the rest fills. The message is aligned to 8 bytes. */
#define HEDDLE_QD_SLOT_SIZE     64
#define HEDDLE_QD_MESSAGE_FIRST 40

struct qd_slot {
	HEDDLE_ATOMIC(uintptr_t) section; /* empty, skipped, awaited, or a qd_section */
	uint32_t size, slots;
	struct qd_waiting *waiting; /* the task that waits until it has run; NULL: none */
	unsigned char message[HEDDLE_QD_MESSAGE_FIRST];
} __attribute__((aligned(HEDDLE_QD_SLOT_SIZE)));

/* The largest message for a queue of `count` slots. */
#define HEDDLE_QD_MESSAGE_MAXIMUM(count)                                                                     \
	((size_t)(count) ? (size_t)(count)*HEDDLE_QD_SLOT_SIZE - (HEDDLE_QD_SLOT_SIZE - HEDDLE_QD_MESSAGE_FIRST) \
	                 : 0)

/* Usual values: slots of a queue, and sections of others that a helper runs. */
#define HEDDLE_QD_SLOTS         64
#define HEDDLE_QD_LIMIT         256
#define HEDDLE_QD_SLOTS_MAXIMUM 65536

/* Exact while the lock is not in use. */
struct qd_counters {
	uint64_t sections;     /* run in all, */
	uint64_t helped;       /* of these: run by another task than the one that delegated it */
	uint64_t waited;       /* of these: the task waited for room in the queue */
	uint64_t nested;       /* delegated from inside a section while the queue was full */
	uint64_t longest_help; /* most sections of others that a helper ran before it gave up the lock */
};

struct qd_lock {
	struct mutex mutex; /* of the holder or helper, and those that wait for it */
	struct qd_slot *slots;
	uint32_t count, limit;
	enum heddle_qd_kind kind;
	struct mutex *outer; /* HEDDLE_QD_NODE: also held while sections run */
	HEDDLE_ATOMIC(uint64_t) tail __attribute__((aligned(64))); /* where the next section goes; whether open */
	HEDDLE_ATOMIC(uint64_t) head_seen;                         /* the head, as delegators have last seen it */
	HEDDLE_ATOMIC(uint64_t) head __attribute__((aligned(64))); /* slots before it are empty again */
	/* The holder's: */
	uint64_t next;              /* the next slot to run */
	struct qd_slot *busy;       /* the slot that runs, */
	struct qd_waiting *current; /* and the task that waits for it */
	struct qd_nested *nested, *nested_last;
	bool running;  /* a section runs */
	bool ended;    /* the holder has ended, and waits for an open buffer before it gives up the lock */
	uint64_t help; /* sections run for others since it got the lock */
	struct task *awaiting; /* the holder, while it waits for a buffer to be closed, */
	uint64_t ticket;       /* and the ticket of that wait */
	struct qd_counters counters;
};

/* The mutex's owner_ends; the initializers set it. */
HEDDLE_DEEP bool qd_owner_ends(struct mutex *mutex);

/* A queue of `count` slots, a power of two; helping ends after `limit` sections. */
#define HEDDLE_QD_LOCK_INITIALIZER(memory, slots_in_memory, help_limit)                        \
	{                                                                                          \
		.mutex = {.owner_ends = qd_owner_ends}, .slots = (memory), .count = (slots_in_memory), \
		.limit = (help_limit)                                                                  \
	}

/* The same at run time. HEDDLE_BAD_ARGUMENT: `count` is no power of two, or more than HEDDLE_QD_SLOTS_MAXIMUM, or
 * `slots` NULL or not aligned to HEDDLE_QD_SLOT_SIZE, or `limit` 0. The slots are zeroed. */
enum heddle_error qd_lock_create(struct qd_lock *lock, struct qd_slot *slots, size_t count, uint32_t limit);

/* Declare that it is not used any more. HEDDLE_IN_USE: it is held or awaited, or a section is queued; nothing was
 * changed. */
enum heddle_error qd_lock_destroy(struct qd_lock *lock);

/* Run section(size, message) under the lock, in the caller now or in another task later. The message is copied, so
 * the caller may reuse it at once; the section gets the copy, or the message itself if the caller runs it. Waits only
 * if the queue is full or closed while the lock is held; then until the section has run. HEDDLE_TOO_LARGE: the
 * message can never fit into the queue. HEDDLE_BAD_ARGUMENT: a null section, or a null message with a size.
 * HEDDLE_UNCOOPERATIVE: it would have to wait. HEDDLE_NO_MEMORY. After these errors nothing was done.
 * HEDDLE_OWNER_DIED: it waited, and the helper ended in the section. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error qd_delegate(struct qd_lock *lock, qd_section section,
                                                          size_t size, const void *message);

/* The same, but return when the section has run. The message is not copied, so it may have any size, and the section
 * may write to it. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error qd_delegate_wait(struct qd_lock *lock, qd_section section,
                                                                 size_t size, void *message);

/* Get a buffer in the queue for a message of that size, to write it there. If there can be none, get the lock
 * instead: *buffer is then NULL. Go on with qd_close_buffer() after the buffer, with qd_delegate_unlock() after the
 * lock.
 *
 * From here to qd_close_buffer() the caller is uncooperative, because the helper may already wait for the buffer. A
 * task that tries to switch there has forgotten to close it: a panic says so. Nor does the task run sections, which
 * might end it: calls that would have to (qd_unlock(), delegating to a free lock, and qd_delegate_wait() to a lock
 * that it holds) return HEDDLE_UNCOOPERATIVE. A task has one open buffer at a time, else HEDDLE_IN_USE.
 * HEDDLE_OWNER_DIED: the caller has got the lock. Other errors as qd_delegate(). */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error qd_delegate_or_lock(struct qd_lock *lock, size_t size,
                                                                  void **buffer);

/* The message is written: let the section run with it. HEDDLE_NO_BUFFER: the caller does not have this buffer of this
 * lock open; it was closed before, or belongs to another task. HEDDLE_BAD_ARGUMENT: a null section. After these
 * errors nothing was changed. */
HEDDLE_MAY_WAKE enum heddle_error qd_close_buffer(struct qd_lock *lock, void *buffer, qd_section section);

/* As qd_unlock(). */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error qd_delegate_unlock(struct qd_lock *lock);

/* Hold the lock. Others delegate meanwhile; qd_unlock() runs their sections. Errors as mutex_lock(). */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error qd_lock(struct qd_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error qd_lock_until(struct qd_lock *lock, uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY. */
HEDDLE_DEEP enum heddle_error qd_try_lock(struct qd_lock *lock);

/* Run what was delegated, and give up the lock. HEDDLE_NOT_OWNER: the caller does not hold it, or is a section;
 * nothing was changed. HEDDLE_UNCOOPERATIVE: a buffer is open, either the caller's own or one that the caller must
 * not wait for; it still holds the lock. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error qd_unlock(struct qd_lock *lock);

HEDDLE_END

#endif
