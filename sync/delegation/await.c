/* The holder of a lock of tasks waits for a slot of its queue: until an open buffer is closed. */
#include "sync/delegation/delegation.h"

#define AWAIT_PAUSES 64 /* before the holder suspends itself: meanwhile the message may be copied */

void qd_awaited(struct qd_lock *lock, struct qd_slot *slot)
{
	(void)slot;
	struct task *holder = lock->awaiting;
	wait_grant(holder, lock->ticket, HEDDLE_OK);
	ready_publish(holder);
}

static void finalize_qd_await(struct task *left, void *argument)
{
	struct qd_lock *lock = argument;
	struct qd_slot *slot = qd_next(lock);
	uintptr_t expected = QD_EMPTY;
	uint64_t ticket = wait_leave(left);
	lock->awaiting = left;
	lock->ticket = ticket;
	/* EMPTY -> AWAITED; release: which task to make go on, and that it has left its stack; pairs with bring_out. */
	if (atomic_compare_exchange_strong_explicit(&slot->section, &expected, QD_AWAITED, memory_order_release,
	                                            memory_order_relaxed))
		return;
	wait_go_on(left, ticket);
}

static void finalize_await_at_end(struct task *left, void *unused)
{
	(void)unused;
	finalize_qd_await(left, left->locks.buffer_lock);
}

static struct wait_object closing_of(const struct qd_lock *lock)
{
	return (struct wait_object){"closing of a buffer of the qd lock", lock, NULL};
}

void qd_first_at_end(struct qd_lock *lock, struct task *task)
{
	task->locks.buffer_lock = lock;
	task->wait_cold.object = closing_of(lock);
	task->ending_wait = finalize_await_at_end;
}

bool qd_await(struct qd_lock *lock, struct qd_slot *slot, uintptr_t *word)
{
	const struct wait_object object = closing_of(lock);
	for (unsigned i = 0;; i++) {
		/* acquire: the message, from bring_out. */
		*word = atomic_load_explicit(&slot->section, memory_order_acquire);
		if (*word != QD_EMPTY)
			return true;
		if (i < AWAIT_PAUSES) {
			arch_pause();
			continue;
		}
		if (wait_begin_kept(&object) != HEDDLE_OK)
			return false;
		switch_away(finalize_qd_await, lock);
		wait_finish();
	}
}
