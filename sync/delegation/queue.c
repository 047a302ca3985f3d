#include "sync/delegation/queue.h"

/* The number of slots to the end of the ring, if so many do not fit before it. */
static uint64_t skipped_before(const struct qd_lock *lock, uint64_t number, uint64_t slots)
{
	uint64_t left = lock->count - (number & (lock->count - 1));
	return slots > left ? left : 0;
}

/* ------------------------------------------------------------------------------------------ delegator -- */

struct qd_slot *qd_take(struct qd_lock *lock, size_t size, bool inside)
{
	uint64_t slots = qd_slots_of(size), skipped;
	uint64_t tail = atomic_load_explicit(&lock->tail, memory_order_relaxed);
	do {
		if (!(tail & QD_OPEN) && !inside)
			return NULL;
		skipped = skipped_before(lock, tail / QD_TAKEN, slots);
		/* acquire: the slots before it are empty, from qd_retire. It may be ahead of our tail: then the CAS fails. */
		uint64_t head = atomic_load_explicit(&lock->head, memory_order_acquire);
		if ((int64_t)(tail / QD_TAKEN + skipped + slots - head) > (int64_t)lock->count)
			return NULL;
		/* relaxed: the slots themselves tell what is in them. */
	} while (!atomic_compare_exchange_weak_explicit(&lock->tail, &tail, tail + (skipped + slots) * QD_TAKEN,
	                                                memory_order_relaxed, memory_order_relaxed));
	struct qd_slot *slot = qd_slot_begin(qd_slot_at(lock, tail / QD_TAKEN + skipped), size, slots);
	/* The holder looks for our slot only behind this one, so the lock still exists. */
	if (skipped)
		qd_bring_out(lock, qd_slot_at(lock, tail / QD_TAKEN), QD_SKIPPED);
	return slot;
}

/* --------------------------------------------------------------------------------------------- holder -- */

bool qd_is_open(const struct qd_lock *lock)
{
	return atomic_load_explicit(&lock->tail, memory_order_relaxed) & QD_OPEN;
}

void qd_open(struct qd_lock *lock)
{
	/* CLOSED -> OPEN; no other changes it while it is closed. The mutex orders everything of the holder's. */
	uint64_t tail = atomic_load_explicit(&lock->tail, memory_order_relaxed);
	atomic_store_explicit(&lock->tail, tail | QD_OPEN, memory_order_relaxed);
}

void qd_close(struct qd_lock *lock)
{
	/* OPEN -> CLOSED, with the slots that are taken. */
	atomic_fetch_and_explicit(&lock->tail, ~QD_OPEN, memory_order_relaxed);
}

bool qd_close_empty(struct qd_lock *lock)
{
	uint64_t tail = lock->next * QD_TAKEN | QD_OPEN;
	if (lock->nested)
		return false;
	/* OPEN, empty -> CLOSED, empty. */
	return atomic_compare_exchange_strong_explicit(&lock->tail, &tail, lock->next * QD_TAKEN,
	                                               memory_order_relaxed, memory_order_relaxed) ||
	       tail == lock->next * QD_TAKEN;
}

uint64_t qd_end(const struct qd_lock *lock)
{
	return atomic_load_explicit(&lock->tail, memory_order_relaxed) / QD_TAKEN;
}

bool qd_has_rest(const struct qd_lock *lock)
{
	return lock->next != qd_end(lock) || lock->nested;
}

bool qd_first(struct qd_lock *lock, uint64_t end, struct qd_slot **first)
{
	while (lock->next != end) {
		struct qd_slot *slot = qd_next(lock);
		/* acquire: the message, from qd_bring_out. */
		uintptr_t word = atomic_load_explicit(&slot->section, memory_order_acquire);
		if (word == QD_EMPTY && !qd_await(lock, slot, &word))
			return false;
		*first = slot;
		if (word != QD_SKIPPED)
			return true;
		qd_clear(lock, slot, lock->count - (lock->next & (lock->count - 1)));
	}
	*first = NULL;
	return true;
}
