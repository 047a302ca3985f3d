/* The calls of heddle/delegation/locks/locks.h. */
#include <stdlib.h>
#include <string.h>

#include "user/delegation/lock.h"

#define BYTES_MAXIMUM HEDDLE_QD_MESSAGE_MAXIMUM(LL_SLOTS) /* of a message in the queue */

/* ---------------------------------------------------------------------------------------- begin, end -- */

static LL_lock_type_name kind_of(const OOLock *lock, LL_lock_type_name name)
{
	switch (name) {
	case TATAS_LOCK:
	case PLAIN_TATAS_LOCK:
		return TATAS_LOCK;
	case QD_LOCK:
	case PLAIN_QD_LOCK:
		return QD_LOCK;
	case MRQD_LOCK:
	case PLAIN_MRQD_LOCK:
		return MRQD_LOCK;
	default:
		ll_misused(lock, "there are TATAS_LOCK, QD_LOCK and MRQD_LOCK, and no other kinds of");
	}
}

void heddle_ll_initialize(OOLock *lock, LL_lock_type_name name)
{
	memset(lock, 0, sizeof(*lock));
	lock->kind = kind_of(lock, name);
	lock->queue.slots = lock->slots;
	lock->queue.count = LL_SLOTS;
}

void heddle_ll_destroy(OOLock *lock)
{
	if (heddle_ll_is_locked(lock) || ll_is_read(lock))
		ll_misused(lock, "what is held, or read, is destroyed");
}

void *LL_create(LL_lock_type_name name)
{
	OOLock *lock = aligned_alloc(_Alignof(OOLock), sizeof(OOLock));
	if (!lock)
		ll_misused(lock, "there is no memory for another lock");
	heddle_ll_initialize(lock, name);
	lock->created = true;
	return lock;
}

void heddle_ll_free(OOLock *lock)
{
	heddle_ll_destroy(lock);
	if (!lock->created)
		ll_misused(lock, "LL_free() is of locks that LL_create() made, and not of");
	free(lock);
}

/* ----------------------------------------------------------------------------------------------- lock -- */

void heddle_ll_lock(OOLock *lock)
{
	ll_hold(lock);
}

bool heddle_ll_try_lock(OOLock *lock)
{
	return ll_try_hold(lock);
}

void heddle_ll_unlock(OOLock *lock)
{
	if (!ll_is_holder(lock))
		ll_misused(lock, "a thread unlocks what it does not hold");
	ll_leave(lock);
}

bool heddle_ll_is_locked(OOLock *lock)
{
	return atomic_load_explicit(&lock->word, memory_order_relaxed) != LL_FREE;
}

/* ------------------------------------------------------------------------------------------- delegate -- */

/* The queue stores the section as a qd_section; it is called by its own type. */
static qd_section queued(LL_section section)
{
	return (qd_section)(void (*)(void))section;
}

/* A slot of the queue, or a place behind it for the holder; NULL: the caller has got the lock. */
static struct qd_slot *take_slot_or_lock(OOLock *lock, unsigned size)
{
	if (ll_is_holder(lock))
		return ll_take_inside(lock, size);
	if (lock->kind != TATAS_LOCK && size <= BYTES_MAXIMUM)
		for (unsigned turns = 0;;) {
			struct qd_slot *slot = qd_take(&lock->queue, size, false);
			if (slot)
				return slot;
			if (ll_try_hold(lock))
				return NULL;
			if (!ll_spin(&turns))
				break;
		}
	ll_hold(lock);
	return NULL;
}

void heddle_ll_delegate(OOLock *lock, LL_section section, unsigned size, void *message)
{
	struct qd_slot *slot = take_slot_or_lock(lock, size);
	if (!slot) {
		section(size, message);
		ll_leave(lock);
		return;
	}
	if (size)
		memcpy(qd_message(slot), message, size);
	qd_publish(&lock->queue, slot, queued(section));
}

/* A section whose thread waits. `state`: */
enum { PENDING, SLEEPING, DONE };

struct awaited {
	LL_section section;
	unsigned size;
	void *message;
	_Atomic uint32_t state;
};

static void run_awaited(unsigned size, void *message)
{
	(void)size;
	struct awaited *awaited = *(struct awaited **)message;
	awaited->section(awaited->size, awaited->message);
	/* PENDING, SLEEPING -> DONE; release: what the section did. After it nothing of it may be read. */
	if (atomic_exchange_explicit(&awaited->state, DONE, memory_order_release) == SLEEPING)
		ll_wake(&awaited->state);
}

void heddle_ll_delegate_wait(OOLock *lock, LL_section section, unsigned size, void *message)
{
	if (ll_is_holder(lock)) {
		section(size, message);
		return;
	}
	struct awaited awaited = {.section = section, .size = size, .message = message}, *place = &awaited;
	heddle_ll_delegate(lock, run_awaited, sizeof(place), &place);
	for (unsigned turns = 0;;) {
		/* acquire: what the section did, from run_awaited. */
		uint32_t state = atomic_load_explicit(&awaited.state, memory_order_acquire);
		if (state == DONE)
			return;
		if (state == SLEEPING)
			ll_sleep(&awaited.state, SLEEPING);
		else if (!ll_spin(&turns))
			/* PENDING -> SLEEPING; relaxed: only its value is slept on. */
			atomic_compare_exchange_strong_explicit(&awaited.state, &state, SLEEPING, memory_order_relaxed,
			                                        memory_order_relaxed);
	}
}

/* -------------------------------------------------------------------------------------------- buffers -- */

void *heddle_ll_delegate_or_lock(OOLock *lock, unsigned size)
{
	struct qd_slot *slot = take_slot_or_lock(lock, size);
	if (!slot)
		return NULL;
	ll_set_buffer_of(lock);
	return qd_message(slot);
}

void heddle_ll_close_delegate_buffer(OOLock *lock, void *buffer, LL_section section)
{
	struct qd_slot *slot = (struct qd_slot *)((char *)buffer - offsetof(struct qd_slot, message));
	ll_set_buffer_of(NULL);
	qd_publish(&lock->queue, slot, queued(section));
}
