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
	if (!ll_try_hold(lock))
		ll_hold(lock);
	ll_set_locked(lock, ll_own_name());
}

bool heddle_ll_try_lock(OOLock *lock)
{
	if (!ll_try_hold(lock))
		return false;
	ll_set_locked(lock, ll_own_name());
	return true;
}

void heddle_ll_unlock(OOLock *lock)
{
	ll_end_locked(lock);
	ll_leave(lock);
}

bool heddle_ll_is_locked(OOLock *lock)
{
	return atomic_load_explicit(&lock->word, memory_order_relaxed) != LL_FREE;
}

/* ------------------------------------------------------------------------------------------- delegate -- */

static uintptr_t queued(LL_section section)
{
	return (uintptr_t)section;
}

static struct qd_slot *take_slot(OOLock *lock, unsigned size)
{
	return size <= HEDDLE_QD_MESSAGE_FIRST ? qd_take_one(&lock->queue, size)
	                                       : qd_take(&lock->queue, size, false);
}

/* If neither was available at once. */
__attribute__((noinline)) static struct qd_slot *wait_for_slot_or_lock(OOLock *lock, unsigned size)
{
	if (lock->kind != TATAS_LOCK && size <= BYTES_MAXIMUM)
		for (unsigned turns = 0; ll_yield(&turns);) {
			struct qd_slot *slot = qd_take(&lock->queue, size, false);
			if (slot)
				return slot;
			if (ll_try_hold(lock))
				return NULL;
		}
	ll_hold(lock);
	return NULL;
}

/* A slot of the queue, or a place behind it for the holder; NULL: the caller has got the lock. */
static struct qd_slot *take_slot_or_lock(OOLock *lock, unsigned size)
{
	struct qd_slot *slot;
	if (ll_is_holder(lock))
		return ll_take_inside(lock, size);
	if (size <= BYTES_MAXIMUM && (slot = take_slot(lock, size)))
		return slot;
	return wait_for_slot_or_lock(lock, size);
}

/* The thread has the lock. */
static inline void run_own(OOLock *lock, LL_section section, unsigned size, void *message)
{
	section(size, message);
	ll_leave(lock);
}

__attribute__((noinline)) static void delegate(OOLock *lock, LL_section section, unsigned size, void *message)
{
	struct qd_slot *slot = take_slot_or_lock(lock, size);
	if (!slot) {
		run_own(lock, section, size, message);
		return;
	}
	if (size == sizeof(void *)) /* as most are: without a call */
		__builtin_memcpy(qd_message(slot), message, sizeof(void *));
	else if (size)
		memcpy(qd_message(slot), message, size);
	ll_publish(slot, queued(section));
}

void heddle_ll_delegate(OOLock *lock, LL_section section, unsigned size, void *message)
{
	if (ll_try_hold(lock))
		run_own(lock, section, size, message);
	else
		delegate(lock, section, size, message);
}

/* A section whose thread waits until `state` is DONE: */
enum { PENDING, DONE };

struct awaited {
	LL_section section;
	void *message;
	_Atomic uint32_t *state;
	unsigned size;
};

static void run_awaited(unsigned size, void *message)
{
	(void)size;
	const struct awaited *awaited = message;
	_Atomic uint32_t *state = awaited->state;
	awaited->section(awaited->size, awaited->message);
	/* PENDING -> DONE; release: what the section did. After it nothing of the waiting thread may be touched. */
	atomic_store_explicit(state, DONE, memory_order_release);
	ll_changed(state);
}

__attribute__((noinline)) static void delegate_wait(OOLock *lock, LL_section section, unsigned size,
                                                    void *message)
{
	_Atomic uint32_t state = PENDING;
	if (ll_is_holder(lock)) {
		section(size, message);
		return;
	}
	struct qd_slot *slot = take_slot_or_lock(lock, sizeof(struct awaited));
	if (!slot) {
		run_own(lock, section, size, message);
		return;
	}
	*(struct awaited *)qd_message(slot) = (struct awaited){section, message, &state, size};
	ll_publish(slot, queued(run_awaited));
	/* acquire: what the section did, from run_awaited. */
	for (unsigned turns = 0; atomic_load_explicit(&state, memory_order_acquire) != DONE;)
		if (!ll_yield(&turns))
			ll_sleep(&state, PENDING);
}

void heddle_ll_delegate_wait(OOLock *lock, LL_section section, unsigned size, void *message)
{
	if (ll_try_hold(lock))
		run_own(lock, section, size, message);
	else
		delegate_wait(lock, section, size, message);
}

/* -------------------------------------------------------------------------------------------- buffers -- */

void *heddle_ll_delegate_or_lock(OOLock *lock, unsigned size)
{
	struct qd_slot *slot = ll_try_hold(lock) ? NULL : take_slot_or_lock(lock, size);
	if (!slot) {
		ll_set_locked(lock, ll_own_name());
		return NULL;
	}
	ll_set_buffer_of(lock);
	return qd_message(slot);
}

void heddle_ll_close_delegate_buffer(OOLock *lock, void *buffer, LL_section section)
{
	(void)lock;
	struct qd_slot *slot = (struct qd_slot *)((char *)buffer - offsetof(struct qd_slot, message));
	ll_set_buffer_of(NULL);
	ll_publish(slot, queued(section));
}
