#include "sync/delegation/queue.h"

#define OPEN  UINT64_C(1)
#define TAKEN UINT64_C(2)

static struct qd_slot *qd_slot_at(const struct qd_lock *lock, uint64_t number)
{
	return &lock->slots[number & (lock->count - 1)];
}

/* The number of slots to the end of the ring, if so many do not fit before it. */
static uint64_t skipped_before(const struct qd_lock *lock, uint64_t number, uint64_t slots)
{
	uint64_t left = lock->count - (number & (lock->count - 1));
	return slots > left ? left : 0;
}

/* ------------------------------------------------------------------------------------------ delegator -- */

/* Set the slot's `section`. The holder sees that, and goes on if it waited. */
static void bring_out(struct qd_lock *lock, struct qd_slot *slot, uintptr_t value)
{
	/* EMPTY, AWAITED -> value; release: the message, acquire: the holder's wait; both pair with qd_await. */
	if (atomic_exchange_explicit(&slot->section, value, memory_order_acq_rel) == QD_AWAITED)
		qd_awaited(lock, slot);
}

struct qd_slot *qd_take(struct qd_lock *lock, size_t size, bool inside)
{
	uint64_t slots = qd_slots_of(size), skipped;
	uint64_t tail = atomic_load_explicit(&lock->tail, memory_order_relaxed);
	do {
		if (!(tail & OPEN) && !inside)
			return NULL;
		skipped = skipped_before(lock, tail / TAKEN, slots);
		/* acquire: the slots before it are empty, from qd_retire. It may be ahead of our tail: then the CAS fails. */
		uint64_t head = atomic_load_explicit(&lock->head, memory_order_acquire);
		if ((int64_t)(tail / TAKEN + skipped + slots - head) > (int64_t)lock->count)
			return NULL;
		/* relaxed: the slots themselves tell what is in them. */
	} while (!atomic_compare_exchange_weak_explicit(&lock->tail, &tail, tail + (skipped + slots) * TAKEN,
	                                                memory_order_relaxed, memory_order_relaxed));
	struct qd_slot *slot = qd_slot_at(lock, tail / TAKEN + skipped);
	slot->size = (uint32_t)size;
	slot->slots = (uint32_t)slots;
	slot->waiting = NULL;
	/* The holder looks for our slot only behind this one, so the lock still exists. */
	if (skipped)
		bring_out(lock, qd_slot_at(lock, tail / TAKEN), QD_SKIPPED);
	return slot;
}

void qd_publish(struct qd_lock *lock, struct qd_slot *slot, qd_section section)
{
	bring_out(lock, slot, (uintptr_t)section);
}

/* --------------------------------------------------------------------------------------------- holder -- */

bool qd_is_open(const struct qd_lock *lock)
{
	return atomic_load_explicit(&lock->tail, memory_order_relaxed) & OPEN;
}

void qd_open(struct qd_lock *lock)
{
	/* CLOSED -> OPEN; no other changes it while it is closed. The mutex orders everything of the holder's. */
	uint64_t tail = atomic_load_explicit(&lock->tail, memory_order_relaxed);
	atomic_store_explicit(&lock->tail, tail | OPEN, memory_order_relaxed);
}

void qd_close(struct qd_lock *lock)
{
	/* OPEN -> CLOSED, with the slots that are taken. */
	atomic_fetch_and_explicit(&lock->tail, ~OPEN, memory_order_relaxed);
}

bool qd_close_empty(struct qd_lock *lock)
{
	uint64_t tail = lock->next * TAKEN | OPEN;
	if (lock->nested)
		return false;
	/* OPEN, empty -> CLOSED, empty. */
	return atomic_compare_exchange_strong_explicit(&lock->tail, &tail, lock->next * TAKEN,
	                                               memory_order_relaxed, memory_order_relaxed) ||
	       tail == lock->next * TAKEN;
}

uint64_t qd_end(const struct qd_lock *lock)
{
	return atomic_load_explicit(&lock->tail, memory_order_relaxed) / TAKEN;
}

bool qd_has_rest(const struct qd_lock *lock)
{
	return lock->next != qd_end(lock) || lock->nested;
}

static void qd_clear(struct qd_lock *lock, uint64_t slots)
{
	for (uint64_t i = 0; i < slots; i++)
		atomic_store_explicit(&qd_slot_at(lock, lock->next + i)->section, QD_EMPTY, memory_order_relaxed);
	lock->next += slots;
	/* release: they are empty, and the holder is done with them; pairs with qd_take. */
	atomic_store_explicit(&lock->head, lock->next, memory_order_release);
}

bool qd_first(struct qd_lock *lock, uint64_t end, struct qd_slot **first)
{
	while (lock->next != end) {
		struct qd_slot *slot = qd_next(lock);
		/* acquire: the message, from bring_out. */
		uintptr_t word = atomic_load_explicit(&slot->section, memory_order_acquire);
		if (word == QD_EMPTY && !qd_await(lock, slot, &word))
			return false;
		*first = slot;
		if (word != QD_SKIPPED)
			return true;
		qd_clear(lock, lock->count - (lock->next & (lock->count - 1)));
	}
	*first = NULL;
	return true;
}

void qd_retire(struct qd_lock *lock, struct qd_slot *slot)
{
	qd_clear(lock, slot->slots);
}
