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
		/* The head may be ahead of this tail: then the CAS fails. */
		if (!qd_has_room(lock, tail / QD_TAKEN, skipped + slots))
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

void qd_close(struct qd_lock *lock)
{
	/* OPEN -> CLOSED, with the slots that are taken. */
	atomic_fetch_and_explicit(&lock->tail, ~QD_OPEN, memory_order_relaxed);
}

bool qd_has_rest(const struct qd_lock *lock)
{
	return lock->next != qd_end(lock) || lock->nested;
}

bool qd_first(struct qd_lock *lock, uint64_t end, struct qd_slot **first)
{
	*first = NULL;
	while (lock->next != end) {
		struct qd_slot *slot = qd_next(lock);
		/* acquire: the message, from qd_bring_out. */
		uintptr_t word = atomic_load_explicit(&slot->section, memory_order_acquire);
		if (word == QD_EMPTY && !qd_await(lock, slot, &word))
			return false;
		if (word != QD_SKIPPED) {
			*first = slot;
			return true;
		}
		qd_clear(lock, slot, lock->count - (lock->next & (lock->count - 1)));
	}
	return true;
}
