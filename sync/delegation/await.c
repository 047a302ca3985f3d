/* The holder of a lock of tasks waits for a slot of its queue: until an open buffer is closed. */
#include "sync/delegation/delegation.h"

/* How often to look again before the task is suspended. Suspending costs more than the usual wait: for the message to
 * be copied, or for the helper to come to the section. */
#define AWAIT_PAUSES 64
#define DONE_PAUSES  16

/* ------------------------------------------------------------------------------------------ the holder -- */

STACK_ENTRY(qd_awaited)
void qd_awaited(struct qd_lock *lock, struct qd_slot *slot)
{
	(void)slot;
	struct task *holder = lock->awaiting;
	wait_grant(holder, lock->ticket, HEDDLE_OK);
	ready_publish(holder);
}

void qd_bring_out(struct qd_lock *lock, struct qd_slot *slot, uintptr_t value)
{
	if (qd_fill(slot, value))
		qd_awaited(lock, slot);
}

static void finalize_qd_await(struct task *left, void *argument)
{
	struct qd_lock *lock = argument;
	struct qd_slot *slot = qd_next(lock);
	uintptr_t expected = QD_EMPTY;
	uint64_t ticket = wait_leave(left);
	lock->awaiting = left;
	lock->ticket = ticket;
	/* EMPTY -> AWAITED; release: which task to make go on, and that it has left its stack; pairs with qd_fill. */
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
		/* acquire: the message, from qd_fill. */
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

/* -------------------------------------------------------------------------------------------- others -- */

static void finalize_await_turn(struct task *left, void *argument)
{
	struct mutex *mutex = argument;
	uint64_t ticket = wait_leave(left);
	if (mutex_take_or_push(mutex, left->locks.waiter, ticket) == MUTEX_TAKEN)
		wait_go_on(left, ticket);
}

enum heddle_error qd_await_turn(struct qd_lock *lock, struct qd_waiting *waiting)
{
	struct task *task = task_current();
	struct wait_object object = {qd_kind, lock, &lock->mutex.owner};
	struct waiter *waiter = waiter_take(task, &lock->mutex);
	if (!waiter)
		return HEDDLE_NO_MEMORY;
	wait_begin_kept(&object);
	waiting->task = task;
	waiting->ticket = wait_ticket(task);
	atomic_store_explicit(&task->locks.delegated, QD_SUSPENDED, memory_order_relaxed);
	/* release: what is in `waiting`; pairs with help_waiting. */
	atomic_store_explicit(&waiter->section, waiting, memory_order_release);
	switch_away(finalize_await_turn, &lock->mutex);
	wait_finish();
	atomic_store_explicit(&waiter->section, NULL, memory_order_relaxed);
	if (qd_is_done(task))
		return waiting->outcome;
	lock->mutex.counters.contended++;
	mutex_enter(&lock->mutex, task);
	return HEDDLE_OK;
}

static void finalize_await_done(struct task *left, void *unused)
{
	(void)unused;
	uint32_t expected = QD_PENDING;
	uint64_t ticket = wait_leave(left);
	/* PENDING -> SUSPENDED; release: the task has left its stack; pairs with end_wait. */
	if (atomic_compare_exchange_strong_explicit(&left->locks.delegated, &expected, QD_SUSPENDED,
	                                            memory_order_release, memory_order_relaxed))
		return;
	wait_go_on(left, ticket);
}

enum heddle_error qd_await_done(struct qd_lock *lock, struct qd_waiting *waiting)
{
	struct wait_object object = {"section delegated to the qd lock", lock, NULL};
	for (unsigned i = 0; i < DONE_PAUSES && !qd_is_done(waiting->task); i++)
		arch_pause();
	if (!qd_is_done(waiting->task)) {
		wait_begin_kept(&object);
		waiting->ticket = wait_ticket(waiting->task);
		switch_away(finalize_await_done, NULL);
		wait_finish();
	}
	ASSERT(qd_is_done(waiting->task));
	return waiting->outcome;
}
