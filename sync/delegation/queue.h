/*
 * The queue of a delegation lock: a ring of slots (delegation paper, section 3). It knows nothing of who waits for
 * it, so that locks of tasks (delegation.h) and of the host's threads (user/delegation/) have the same.
 *
 * The states of a slot, in its word `section`:
 *
 *     EMPTY --delegator: the message is written--> a section --holder: carried out--> EMPTY
 *     EMPTY --delegator: its message does not fit before the end of the ring--> SKIPPED --holder--> EMPTY
 *     EMPTY --holder's finalizer: it waits for the buffer to be closed--> AWAITED
 *     AWAITED --delegator: as from EMPTY, and it makes the holder go on--> a section, or SKIPPED
 *
 * The thread or task that took a slot always brings it out of EMPTY: at once, or where it writes the message into its
 * place in the queue, before it can be switched away. Otherwise the holder would wait for ever. This also holds for
 * the slots that are skipped at the end of the ring.
 */
#ifndef SYNC_DELEGATION_QUEUE_H
#define SYNC_DELEGATION_QUEUE_H

#include <stdatomic.h>
#include <stddef.h>

#include "heddle/qd_lock.h"

enum { QD_EMPTY, QD_SKIPPED, QD_AWAITED }; /* states of a slot; any other value is a section */

/* Slots that a message takes. */
static inline uint64_t qd_slots_of(size_t size)
{
	return size <= HEDDLE_QD_MESSAGE_FIRST
	           ? 1
	           : 1 + (size - HEDDLE_QD_MESSAGE_FIRST + HEDDLE_QD_SLOT_SIZE - 1) / HEDDLE_QD_SLOT_SIZE;
}

/* The message in that slot and those behind it. */
static inline void *qd_message(struct qd_slot *slot)
{
	return (char *)slot + offsetof(struct qd_slot, message);
}

/* Take slots for a message that will be published; NULL: the queue is full or closed. `inside`: by the holder, for
 * which it is not closed. Lock-free; takes effect at its CAS of the tail. */
struct qd_slot *qd_take(struct qd_lock *lock, size_t size, bool inside);

/* The message is written. After this nothing of the lock or the slot may be touched. Wait-free; takes effect at its
 * exchange of the slot. */
void qd_publish(struct qd_lock *lock, struct qd_slot *slot, qd_section section);

bool qd_is_open(const struct qd_lock *lock);

/* For the holder, all wait-free: */
void qd_open(struct qd_lock *lock);
void qd_close(struct qd_lock *lock);
bool qd_close_empty(struct qd_lock *lock); /* false: it is not empty */
uint64_t qd_end(const struct qd_lock *lock);
bool qd_has_rest(const struct qd_lock *lock);

/* The next slot to be run. */
static inline struct qd_slot *qd_next(const struct qd_lock *lock)
{
	return &lock->slots[lock->next & (lock->count - 1)];
}

/* The first section in the queue, before slot number `end`, waiting until its buffer is closed. NULL in *first: there
 * is none. False: the caller must not wait. */
bool qd_first(struct qd_lock *lock, uint64_t end, struct qd_slot **first);

/* The section was carried out. */
void qd_retire(struct qd_lock *lock, struct qd_slot *slot);

/* ----- What its locks bring ----- */

/* The holder waits until the next slot is no longer QD_EMPTY, or QD_AWAITED. *word: what it is then, read with acquire.
 * False: it must not wait. It brings the slot from QD_EMPTY to QD_AWAITED only when all is ready to make it go on. */
bool qd_await(struct qd_lock *lock, struct qd_slot *slot, uintptr_t *word);

/* The slot was QD_AWAITED: its holder goes on. */
void qd_awaited(struct qd_lock *lock, struct qd_slot *slot);

#endif
