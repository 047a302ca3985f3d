/*
 * The queue of a delegation lock: a ring of slots (delegation paper, section 3). It does not know what waits for it,
 * so locks of tasks (delegation.h) and of the host's threads (user/delegation/) both use it.
 *
 * The states of a slot, in its word `section`:
 *
 *     EMPTY --delegator: the message is written--> a section --holder: carried out--> EMPTY
 *     EMPTY --delegator: its message does not fit before the end of the ring--> SKIPPED --holder--> EMPTY
 *     EMPTY --holder: it waits for the buffer to be closed--> AWAITED
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

/* The tail: whether the queue is open, and how many slots were taken. */
#define QD_OPEN  UINT64_C(1)
#define QD_TAKEN UINT64_C(2)

/* ----- What a lock with such a queue defines ----- */

/* The holder waits until the next slot is neither QD_EMPTY nor QD_AWAITED. *word: what it is then, read with acquire.
 * False: the holder must not wait. It brings the slot from QD_EMPTY to QD_AWAITED only once it can be made to go on. */
bool qd_await(struct qd_lock *lock, struct qd_slot *slot, uintptr_t *word);

/* Bring the slot out of QD_EMPTY to this value, with release: the message. If it was QD_AWAITED, its holder goes on. */
void qd_bring_out(struct qd_lock *lock, struct qd_slot *slot, uintptr_t value);

/* ----- Delegators ----- */

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

static inline struct qd_slot *qd_slot_at(const struct qd_lock *lock, uint64_t number)
{
	return &lock->slots[number & (lock->count - 1)];
}

static inline struct qd_slot *qd_slot_begin(struct qd_slot *slot, size_t size, uint64_t slots)
{
	slot->size = (uint32_t)size;
	slot->slots = (uint32_t)slots;
	slot->waiting = NULL;
	return slot;
}

/* Whether so many slots from number `number` on are free. The holder writes the head with each section, so delegators
 * look at it only when what they have last seen of it does not suffice. */
static inline bool qd_has_room(struct qd_lock *lock, uint64_t number, uint64_t slots)
{
	/* acquire: the slots before it are empty, from qd_clear, or from the store below. It may be ahead of `number`. */
	uint64_t head = atomic_load_explicit(&lock->head_seen, memory_order_acquire);
	if (__builtin_expect((int64_t)(number + slots - head) <= (int64_t)lock->count, 1))
		return true;
	head = atomic_load_explicit(&lock->head, memory_order_acquire);
	/* release: what was acquired. Another may store an older head after it, which is as true. */
	atomic_store_explicit(&lock->head_seen, head, memory_order_release);
	return (int64_t)(number + slots - head) <= (int64_t)lock->count;
}

/* The same as qd_take() while the queue is open, for a message that fits one slot. NULL also if another was faster. */
static inline struct qd_slot *qd_take_one(struct qd_lock *lock, size_t size)
{
	uint64_t tail = atomic_load_explicit(&lock->tail, memory_order_relaxed), number = tail / QD_TAKEN;
	if (!(tail & QD_OPEN))
		return NULL;
	if (!qd_has_room(lock, number, 1) ||
	    !atomic_compare_exchange_strong_explicit(&lock->tail, &tail, tail + QD_TAKEN, memory_order_relaxed,
	                                             memory_order_relaxed))
		return NULL;
	return qd_slot_begin(qd_slot_at(lock, number), size, 1);
}

/* Take slots for a message that will be published; NULL: the queue is full or closed. `inside`: by the holder, for
 * which it is not closed. Lock-free; takes effect at its CAS of the tail. */
struct qd_slot *qd_take(struct qd_lock *lock, size_t size, bool inside);

/* ----- The holder; all of it is wait-free, but for the waits of qd_first() ----- */

static inline bool qd_is_open(const struct qd_lock *lock)
{
	return atomic_load_explicit(&lock->tail, memory_order_relaxed) & QD_OPEN;
}

static inline uint64_t qd_end(const struct qd_lock *lock)
{
	return atomic_load_explicit(&lock->tail, memory_order_relaxed) / QD_TAKEN;
}

static inline void qd_open(struct qd_lock *lock)
{
	/* CLOSED -> OPEN; no other changes it while it is closed. The mutex orders everything of the holder's. */
	uint64_t tail = atomic_load_explicit(&lock->tail, memory_order_relaxed);
	atomic_store_explicit(&lock->tail, tail | QD_OPEN, memory_order_relaxed);
}

void qd_close(struct qd_lock *lock);

/* False: it is not empty. */
static inline bool qd_close_empty(struct qd_lock *lock)
{
	uint64_t tail = lock->next * QD_TAKEN | QD_OPEN;
	if (lock->nested)
		return false;
	/* OPEN, empty -> CLOSED, empty. */
	return atomic_compare_exchange_strong_explicit(&lock->tail, &tail, lock->next * QD_TAKEN,
	                                               memory_order_relaxed, memory_order_relaxed) ||
	       tail == lock->next * QD_TAKEN;
}

bool qd_has_rest(const struct qd_lock *lock);

/* The next slot to be run. */
static inline struct qd_slot *qd_next(const struct qd_lock *lock)
{
	return qd_slot_at(lock, lock->next);
}

/* The section in the slot, if it may be run at once; else NULL. It looks at the slot alone, and not at the tail, which
 * delegators write. */
static inline qd_section qd_ready(const struct qd_slot *slot)
{
	/* acquire: the message, from qd_bring_out. */
	uintptr_t word = atomic_load_explicit(&slot->section, memory_order_acquire);
	return word > QD_AWAITED ? (qd_section)word : NULL;
}

/* The first section in the queue, before slot number `end`, waiting until its buffer is closed. NULL in *first: there
 * is none. False, and NULL: the caller must not wait. */
bool qd_first(struct qd_lock *lock, uint64_t end, struct qd_slot **first);

/* `slot`, which is the next, and those behind it, so many in all, were carried out or skipped. There is at least one,
 * and they do not go beyond the end of the ring. */
static inline void qd_clear(struct qd_lock *lock, struct qd_slot *slot, uint64_t slots)
{
	lock->next += slots;
	do
		atomic_store_explicit(&slot++->section, QD_EMPTY, memory_order_relaxed);
	while (--slots > 0);
	/* release: they are empty, and the holder is done with them; pairs with qd_take. */
	atomic_store_explicit(&lock->head, lock->next, memory_order_release);
}

/* The section in the next slot was carried out. */
static inline void qd_retire(struct qd_lock *lock, struct qd_slot *slot)
{
	qd_clear(lock, slot, slot->slots);
}

#endif
