/* The thread that holds a lock: how it gets it, runs what others delegate, and gives it up. */
#include <stdlib.h>
#include <string.h>

#include "user/delegation/lock.h"

static _Thread_local char this_thread; /* its address */
static _Thread_local OOLock *buffer_of;

bool ll_is_holder(const OOLock *lock)
{
	/* relaxed: it is this thread's address only where this thread has written it. */
	return atomic_load_explicit(&lock->holder, memory_order_relaxed) == &this_thread;
}

void ll_set_buffer_of(OOLock *lock)
{
	buffer_of = lock;
}

static void begin(OOLock *lock)
{
	atomic_store_explicit(&lock->holder, &this_thread, memory_order_relaxed);
	lock->help = 0;
	if (lock->kind != TATAS_LOCK)
		qd_open(&lock->queue);
}

/* FREE -> HELD */
static bool take(OOLock *lock)
{
	uint32_t word = LL_FREE;
	/* seq_cst: before the groups are looked at, pairs with arrive() of readers; acquire: what the last holder did. */
	return atomic_load_explicit(&lock->word, memory_order_relaxed) == LL_FREE &&
	       atomic_compare_exchange_strong_explicit(&lock->word, &word, LL_HELD, memory_order_seq_cst,
	                                               memory_order_relaxed);
}

static void release(OOLock *lock)
{
	atomic_store_explicit(&lock->holder, NULL, memory_order_relaxed);
	/* HELD, WAITED -> FREE; release: what was done under it, pairs with take() and ll_hold(). */
	if (atomic_exchange_explicit(&lock->word, LL_FREE, memory_order_release) == LL_WAITED)
		ll_wake(&lock->word);
}

bool ll_try_hold(OOLock *lock)
{
	if (!take(lock))
		return false;
	if (lock->kind == MRQD_LOCK && ll_is_read(lock)) {
		release(lock);
		return false;
	}
	begin(lock);
	return true;
}

void ll_hold(OOLock *lock)
{
	if (ll_is_holder(lock))
		ll_misused(lock, "a thread locks what it holds, and would wait for ever");
	if (buffer_of == lock)
		ll_misused(lock, "a thread locks with a buffer open, for which it would wait itself,");
	for (unsigned turns = 0; !take(lock);) {
		if (ll_spin(&turns))
			continue;
		/* FREE, HELD, WAITED -> WAITED; seq_cst and acquire: as in take(). */
		while (atomic_exchange_explicit(&lock->word, LL_WAITED, memory_order_seq_cst) != LL_FREE)
			ll_sleep(&lock->word, LL_WAITED);
		break;
	}
	begin(lock); /* before readers are awaited: others can delegate meanwhile */
	if (lock->kind == MRQD_LOCK)
		ll_await_readers(lock);
}

/* ------------------------------------------------------------------------------------------- sections -- */

struct qd_slot *ll_take_inside(OOLock *lock, unsigned size)
{
	struct qd_slot *slot = lock->nested ? NULL : qd_take(&lock->queue, size, true);
	if (slot)
		return slot;
	struct ll_nested *nested =
	    aligned_alloc(_Alignof(struct ll_nested), sizeof(*nested) + qd_slots_of(size) * HEDDLE_QD_SLOT_SIZE);
	if (!nested)
		ll_misused(lock, "there is no memory for what a section delegates");
	memset(nested, 0, sizeof(*nested));
	nested->position = qd_end(&lock->queue);
	nested->slot.size = size;
	if (lock->nested_last)
		lock->nested_last->next = nested;
	else
		lock->nested = nested;
	lock->nested_last = nested;
	return &nested->slot;
}

static void run(OOLock *lock, struct qd_slot *slot)
{
	/* relaxed: after qd_first, or written by this thread. */
	LL_section section =
	    (LL_section)(void (*)(void))atomic_load_explicit(&slot->section, memory_order_relaxed);
	section(slot->size, qd_message(slot));
	lock->help++;
}

/* The oldest section that is queued; false: there is none. */
static bool run_oldest(OOLock *lock)
{
	struct ll_nested *nested = lock->nested;
	struct qd_slot *slot;
	qd_first(&lock->queue, nested ? nested->position : qd_end(&lock->queue), &slot);
	if (slot) {
		run(lock, slot);
		qd_retire(&lock->queue, slot);
		return true;
	}
	if (!nested)
		return false;
	run(lock, &nested->slot);
	lock->nested = nested->next;
	if (!lock->nested)
		lock->nested_last = NULL;
	free(nested);
	return true;
}

void ll_leave(OOLock *lock)
{
	do {
		if (buffer_of == lock)
			ll_misused(lock, "a buffer was not closed");
		if (lock->help >= LL_HELP_LIMIT && qd_is_open(&lock->queue))
			qd_close(&lock->queue);
	} while (run_oldest(lock) || !qd_close_empty(&lock->queue));
	release(lock);
}
