/*
 * A lock to which critical sections are delegated (queue delegation; delegation paper, sections 2 and 3): a
 * task that finds it held leaves its section, a function and a message, in the lock's queue, and goes on.
 * Whoever holds the lock, the helper, carries out what it finds there before it gives the lock up.
 *
 * The queue is memory of the caller's, so that a lock is small where it lies in a structure, each lock has
 * the length that it needs, and both can be static:
 *
 *     static struct qd_slot slots[HEDDLE_QD_SLOTS];
 *     static struct qd_lock lock = HEDDLE_QD_LOCK_INITIALIZER(slots, HEDDLE_QD_SLOTS, HEDDLE_QD_LIMIT);
 *
 * Order. Sections are carried out in the order in which their delegations took effect, those of one task in
 * the order in which it delegated them, and one after the other: no section, holder or reader meets another.
 * Who has got the lock, or whose qd_delegate_wait() has returned, sees the effects of all that was delegated
 * to it before.
 *
 * A section runs in the helper's task, in an uncooperative section: it may delegate, to this lock and to
 * others, and unlock others, but not wait. What would have to wait returns HEDDLE_UNCOOPERATIVE, and what
 * always switches (task_yield()) is a panic that names the lock and the task.
 * A quantum that is spent meanwhile is made good behind it.
 *
 * Helping is bounded: after `limit` sections of others the helper closes the queue, and whoever waits for the
 * lock gets it, with what is left in the queue, which it carries out first, and counts. Where nobody waits, or
 * whoever did has given up, the helper carries out the rest itself. So one helps with as many sections as the
 * limit or the queue, the larger, and the queue again, at most.
 *
 * From inside a section of the same lock, or holding it:
 *   qd_delegate(), qd_delegate_or_lock()  the section is queued as any other, behind those that are queued;
 *                                         where the queue is full, in memory of the heap (HEDDLE_NO_MEMORY)
 *   qd_delegate_wait()                    it is carried out at once, before what is queued
 *   qd_lock(), qd_try_lock()              HEDDLE_RELOCKED
 *
 * Waiting is passive: the task is suspended. Only the wait of qd_lock_until() ends by a deadline, and only it
 * and that of qd_lock() by task_cancel(): a delegated section cannot be taken back.
 *
 * A helper that ends by a fault in a section: that section counts as carried out, and its qd_delegate_wait()
 * returns HEDDLE_OWNER_DIED. Then, and of a task that ends while it holds the lock, the rest is carried out by
 * the next that gets the lock; where nobody waits for it, by the end of the task. Who gets the lock itself is
 * told HEDDLE_OWNER_DIED, until mutex_repair(&lock->mutex).
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

/* A delegated section: the message that came with it, where it lies now, and its size in bytes. */
typedef void (*qd_section)(size_t size, void *message);

/* A line of the queue. A section takes one with the first HEDDLE_QD_MESSAGE_FIRST bytes of its message, and as many
 * more as the rest fills. The message is aligned to 8 bytes. */
#define HEDDLE_QD_SLOT_SIZE     64
#define HEDDLE_QD_MESSAGE_FIRST 40

struct qd_slot {
	HEDDLE_ATOMIC(uintptr_t) section; /* empty, skipped, awaited, or a qd_section */
	uint32_t size, slots;
	struct qd_waiting *waiting; /* who waits until it is carried out; NULL: nobody */
	unsigned char message[HEDDLE_QD_MESSAGE_FIRST];
} __attribute__((aligned(HEDDLE_QD_SLOT_SIZE)));

/* The largest message for a queue of so many slots. */
#define HEDDLE_QD_MESSAGE_MAXIMUM(count)                                                                     \
	((size_t)(count) ? (size_t)(count)*HEDDLE_QD_SLOT_SIZE - (HEDDLE_QD_SLOT_SIZE - HEDDLE_QD_MESSAGE_FIRST) \
	                 : 0)

/* Usual lengths: of a queue in slots, of helping in sections. */
#define HEDDLE_QD_SLOTS         64
#define HEDDLE_QD_LIMIT         256
#define HEDDLE_QD_SLOTS_MAXIMUM 65536

/* Exact while nobody uses the lock. */
struct qd_counters {
	uint64_t sections;     /* carried out in all, */
	uint64_t helped;       /* of these: by another task than the one that delegated it */
	uint64_t waited;       /* of these: whose task waited, for room in the queue */
	uint64_t nested;       /* delegated from inside while the queue was full */
	uint64_t longest_help; /* sections of others that one helper carried out before it gave the lock up */
};

struct qd_lock {
	struct mutex mutex; /* who holds or helps, and who waits for that */
	struct qd_slot *slots;
	uint32_t count, limit;
	enum heddle_qd_kind kind;
	struct mutex *outer; /* HEDDLE_QD_NODE: to be held as well while sections run */
	HEDDLE_ATOMIC(uint64_t) tail __attribute__((aligned(64))); /* where the next goes, and whether it may */
	HEDDLE_ATOMIC(uint64_t) head __attribute__((aligned(64))); /* what is before it is empty again */
	/* The holder's: */
	uint64_t next;              /* the slot to be carried out next */
	struct qd_slot *busy;       /* what is carried out, */
	struct qd_waiting *current; /* and who waits for that */
	struct qd_nested *nested, *nested_last;
	bool running;  /* a section */
	bool ended;    /* its task has, and waits for a buffer to be closed before it can give the lock up */
	uint64_t help; /* sections carried out for others since it got the lock */
	struct task *awaiting; /* a buffer that was not closed yet: itself, */
	uint64_t ticket;       /* in this wait */
	struct qd_counters counters;
};

/* Of the mutex inside: set by the initializers. */
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

/* Say that nobody will use it any more. HEDDLE_IN_USE: somebody holds or awaits it, or a section is queued;
 * nothing was changed. */
enum heddle_error qd_lock_destroy(struct qd_lock *lock);

/* Have section(size, message) carried out under the lock, by the caller now or by another later. The message
 * is copied, so it may be forgotten at once; the section gets the copy, or where the caller carries it out,
 * the message itself. Waits only if the queue is full, or closed, while somebody holds the lock; then until
 * it was carried out. HEDDLE_TOO_LARGE: the message does not fit into the queue, ever; HEDDLE_BAD_ARGUMENT:
 * a null section, or no message but a size; HEDDLE_UNCOOPERATIVE: it would have to wait; HEDDLE_NO_MEMORY.
 * In all these cases nothing was done. HEDDLE_OWNER_DIED: it waited, and the helper ended in the section. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error qd_delegate(struct qd_lock *lock, qd_section section,
                                                          size_t size, const void *message);

/* The same, and return when it was carried out. The message is not copied, so it has any size, and the
 * section may write to it. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error qd_delegate_wait(struct qd_lock *lock, qd_section section,
                                                                 size_t size, void *message);

/* Get a buffer of the queue for a message of that size, to be written there, or if that is not possible, the
 * lock: *buffer is then NULL. What was given a buffer goes on with qd_close_buffer(), and what was given the
 * lock with qd_delegate_unlock().
 *
 * From here to qd_close_buffer() the caller is uncooperative, for the helper may have come to the buffer and
 * wait: whoever tries to switch there has forgotten to close it, which is a panic that says so. Nor does it carry
 * out sections, which might end it: what would have to, qd_unlock() and delegating to a lock that is free or to
 * one's own with qd_delegate_wait(), returns HEDDLE_UNCOOPERATIVE. A task has one open buffer at a time, else
 * HEDDLE_IN_USE. HEDDLE_OWNER_DIED: the caller has got the lock. Other errors as of qd_delegate(). */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error qd_delegate_or_lock(struct qd_lock *lock, size_t size,
                                                                  void **buffer);

/* The message is written: let the section be carried out with it. HEDDLE_NO_BUFFER: the caller has not this
 * buffer of this lock open: it was closed before, or is another's; HEDDLE_BAD_ARGUMENT: a null section. In
 * both cases nothing was changed. */
HEDDLE_MAY_WAKE enum heddle_error qd_close_buffer(struct qd_lock *lock, void *buffer, qd_section section);

/* As qd_unlock(). */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error qd_delegate_unlock(struct qd_lock *lock);

/* Hold the lock. Others delegate meanwhile: that is carried out by qd_unlock(). The same errors as those of
 * mutex_lock(). */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error qd_lock(struct qd_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error qd_lock_until(struct qd_lock *lock, uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY. */
HEDDLE_DEEP enum heddle_error qd_try_lock(struct qd_lock *lock);

/* Carry out what was delegated, and give the lock up. HEDDLE_NOT_OWNER: the caller does not hold it, or is a
 * section; nothing was changed. HEDDLE_UNCOOPERATIVE: a buffer is open, and it is the caller's, or the caller must
 * not wait for it; it holds the lock still. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error qd_unlock(struct qd_lock *lock);

HEDDLE_END

#endif
