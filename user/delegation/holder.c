/* The thread that holds a lock: how it gets it, runs what others delegate, and gives it up. */
#include <stdlib.h>
#include <string.h>

#include "user/delegation/lock.h"

_Thread_local char ll_this_thread;
static _Thread_local OOLock *buffer_of;

void ll_set_buffer_of(OOLock *lock)
{
	buffer_of = lock;
}

void ll_wait(OOLock *lock)
{
	if (ll_is_holder(lock))
		ll_misused(lock, "a thread locks what it holds, and would wait for ever");
	if (buffer_of == lock)
		ll_misused(lock, "a thread locks with a buffer open, for which it would wait itself,");
	unsigned turns = 0;
	do {
		if (ll_yield(&turns))
			continue;
		uintptr_t word = atomic_load_explicit(&lock->word, memory_order_relaxed);
		if (word != LL_FREE)
			ll_sleep(&lock->word, (uint32_t)word);
		turns = 0;
	} while (!ll_take(lock));
}

void ll_hold(OOLock *lock)
{
	ll_wait(lock);
	ll_begin(lock); /* before readers are awaited: others can delegate meanwhile */
	if (lock->kind == MRQD_LOCK)
		ll_await_readers(lock);
}

/* ------------------------------------------------------------------------------------------- sections -- */

struct qd_slot *ll_take_inside(OOLock *lock, unsigned size)
{
	bool queues = !lock->nested && lock->kind != TATAS_LOCK;
	struct qd_slot *slot = queues ? qd_take(&lock->queue, size, true) : NULL;
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
	if (__builtin_expect(buffer_of == lock, 0))
		ll_misused(lock, "a buffer was not closed");
	lock->queue.help++;
}

/* What is ready, by the slots alone: delegators write the tail. */
static void run_ready(OOLock *lock)
{
	struct qd_slot *slot = qd_next(&lock->queue);
	while (!lock->nested && lock->queue.help < LL_HELP_LIMIT && qd_ready(slot)) {
		run(lock, slot);
		qd_retire(&lock->queue, slot);
		slot = qd_next(&lock->queue);
	}
}

/* The oldest section that is queued, if any is. */
static void run_oldest(OOLock *lock)
{
	struct ll_nested *nested = lock->nested;
	struct qd_slot *slot;
	qd_first(&lock->queue, nested ? nested->position : qd_end(&lock->queue), &slot);
	if (slot) {
		run(lock, slot);
		qd_retire(&lock->queue, slot);
		return;
	}
	if (!nested)
		return;
	run(lock, &nested->slot);
	lock->nested = nested->next;
	if (!lock->nested)
		lock->nested_last = NULL;
	free(nested);
}

void ll_help(OOLock *lock)
{
	if (buffer_of == lock)
		ll_misused(lock, "a buffer was not closed");
	for (run_ready(lock); !ll_close_empty(lock); run_ready(lock)) {
		if (lock->queue.help >= LL_HELP_LIMIT && qd_is_open(&lock->queue))
			qd_close(&lock->queue);
		run_oldest(lock);
	}
}
