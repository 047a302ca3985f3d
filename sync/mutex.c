#include "sync/mutex.h"

#include "kernel/console.h"
#include "sched/trace.h"
#include "sync/deferral.h"
#include "sync/exchange.h"
#include "sync/foresee.h"
#include "sync/mutex_lent.h"
#include "sync/mutex_word.h"

const char mutex_kind[] = "mutex";

/* --------------------------------------------------------------------------------------------- holder -- */

/* A mutex whose owner is set. */
static inline void mutex_hold(struct mutex *mutex, struct task *task)
{
	mutex->held_next = task->held;
	task->held = mutex;
}

static void mutex_hold_again(struct mutex *mutex, struct task *task)
{
	mutex_set_owner(mutex, task);
	mutex_hold(mutex, task);
}

/* mutex_enter() where the owner is set, as it is in a mutex that was handed over. */
static inline enum heddle_error mutex_enter_given(struct mutex *mutex, struct task *task)
{
	mutex_hold(mutex, task);
	trace_acquire(mutex_kind, mutex);
	mutex->counters.acquisitions++;
	return (enum heddle_error)mutex->owner_died;
}

enum heddle_error mutex_enter(struct mutex *mutex, struct task *task)
{
	mutex_set_owner(mutex, task);
	return mutex_enter_given(mutex, task);
}

bool mutex_is_held(const struct mutex *mutex, const struct task *task)
{
	const struct mutex *held = task->held;
	while (held && held != mutex)
		held = held->held_next;
	return held;
}

static inline bool leave(struct mutex *mutex, struct task *task)
{
	/* Mostly the newest mutex, but a task may unlock in any order. */
	struct mutex **link = &task->held;
	while (*link && *link != mutex)
		link = &(*link)->held_next;
	if (!*link)
		return false;
	*link = mutex->held_next;
	mutex_set_owner(mutex, NULL);
	trace_release(mutex);
	return true;
}

bool mutex_leave(struct mutex *mutex, struct task *task)
{
	mutex_return_lent(mutex);
	return leave(mutex, task);
}

/* The slow paths of a lock and an unlock, entered with room for them on the stack. */
enum heddle_error mutex_lock_contended(struct mutex *mutex);
enum heddle_error mutex_lock_contended_until(struct mutex *mutex, uint64_t deadline);
enum heddle_error mutex_unlock_contended(struct mutex *mutex);
__typeof__(mutex_lock_contended) lock_with_room STACK_ENTRY_OF(mutex_lock_contended);
__typeof__(mutex_lock_contended_until) lock_with_room_until STACK_ENTRY_OF(mutex_lock_contended_until);
__typeof__(mutex_unlock_contended) unlock_with_room STACK_ENTRY_OF(mutex_unlock_contended);

/* exchange_full() */
void mutex_exchange(struct task *next);
__typeof__(mutex_exchange) exchange_with_room STACK_ENTRY_OF(mutex_exchange);

/* ----------------------------------------------------------------------------------------------- lock -- */

static enum mutex_entry take_or_push(struct mutex *mutex, struct waiter *waiter)
{
	while (!mutex_push(mutex, waiter)) {
		if (mutex_take(mutex)) {
			mutex_set_owner(mutex, waiter->task);
			return MUTEX_TAKEN;
		}
		if (!mutex_turn(mutex))
			return MUTEX_REFUSED;
	}
	return MUTEX_QUEUED;
}

enum mutex_entry mutex_take_or_push(struct mutex *mutex, struct waiter *waiter, uint64_t ticket)
{
	return waiter_renew(waiter, ticket) ? MUTEX_QUEUED : take_or_push(mutex, waiter);
}

/* The mutex is free or plain. Apart from the rest, which then saves fewer registers. */
__attribute__((noinline)) static void finalize_otherwise(struct task *left, struct mutex *mutex,
                                                         uint64_t ticket)
{
	enum mutex_entry entry = take_or_push(mutex, left->locks.waiter);
	if (entry == MUTEX_QUEUED)
		wait_arm(left, ticket);
	else if (entry == MUTEX_TAKEN)
		wait_go_on(left, ticket);
	else if (wait_grant(left, ticket, HEDDLE_BUSY))
		ready_publish(left); /* to try again, as after a yield */
}

__attribute__((flatten)) void finalize_mutex_lock(struct task *left, void *mutex)
{
	uint64_t ticket = wait_leave(left);
	struct waiter *waiter = left->locks.waiter;
	if (waiter_renew(waiter, ticket) || mutex_push(mutex, waiter))
		wait_arm(left, ticket);
	else
		finalize_otherwise(left, mutex, ticket);
}

__attribute__((noinline)) static void measure_wait(struct mutex *mutex)
{
	exchange_count_by_chain(&mutex->counters);
	if (mutex->delays && mutex->delays->handed_over)
		exchange_count_delay(mutex->delays);
}

static struct wait_object object_of(const struct mutex *mutex)
{
	return (struct wait_object){mutex_kind, mutex, &mutex->owner};
}

/* Errors as of wait_begin(). HEDDLE_OK: the wait has ended, and its outcome says how; HEDDLE_BUSY there: the mutex has
 * refused the task (MUTEX_REFUSED). */
__attribute__((always_inline)) static inline enum heddle_error
wait_for(struct scheduler *scheduler, struct mutex *mutex, uint64_t deadline)
{
	struct task *task = scheduler->current;
	struct wait_object object = object_of(mutex);
	if (!waiter_take(task, mutex))
		return HEDDLE_NO_MEMORY;
	enum heddle_error error = wait_begin_of(task, &object, deadline);
	if (error != HEDDLE_OK) {
		waiter_unused(task);
		return error;
	}
	switch_away_from(scheduler, task, finalize_mutex_lock, mutex);
	if (deadline != HEDDLE_NO_DEADLINE)
		wait_finish();
	return HEDDLE_OK;
}

/* The wait has ended with an error, or is measured. */
__attribute__((noinline)) static enum heddle_error finish_other(struct mutex *mutex, struct task *task)
{
	if (task->wait.outcome != HEDDLE_OK) {
		waiter_abandon(task, task->locks.waiter);
		return task->wait.outcome;
	}
	mutex->counters.contended++;
	if (mutex->counters.measured)
		measure_wait(mutex);
	return mutex_enter_given(mutex, task);
}

/* The mutex has refused the task. */
__attribute__((noinline)) static enum heddle_error lock_refused(struct mutex *mutex, struct task *task,
                                                                uint64_t deadline)
{
	do {
		if (mutex_take(mutex))
			return mutex_enter(mutex, task);
		enum heddle_error error = wait_for(scheduler_current(), mutex, deadline);
		if (error != HEDDLE_OK)
			return error;
	} while (task->wait.outcome == HEDDLE_BUSY);
	return finish_other(mutex, task);
}

__attribute__((noinline)) static enum heddle_error finish_unusually(struct mutex *mutex, struct task *task)
{
	if (task->wait.outcome == HEDDLE_BUSY)
		return lock_refused(mutex, task, HEDDLE_NO_DEADLINE);
	return finish_other(mutex, task);
}

/* The task goes on, and has stopped its timer. A function of its own, because all that its callers had in registers was
 * lost in the switch. */
__attribute__((noinline)) static enum heddle_error finish_lock(struct mutex *mutex, struct task *task)
{
	if (__builtin_expect(task->wait.outcome | mutex->counters.measured, 0))
		return finish_unusually(mutex, task);
	mutex->counters.contended++;
	foresee_holders(mutex->first);
	return mutex_enter_given(mutex, task);
}

__attribute__((always_inline)) static inline enum heddle_error lock_contended(struct mutex *mutex,
                                                                              uint64_t deadline)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	if (task->held && mutex_is_held(mutex, task))
		return lock_misused("mutex_lock()", mutex_kind, mutex, HEDDLE_RELOCKED);
	enum heddle_error error = wait_for(scheduler, mutex, deadline);
	if (error != HEDDLE_OK)
		return error;
	if (deadline != HEDDLE_NO_DEADLINE && task->wait.outcome == HEDDLE_BUSY)
		return lock_refused(mutex, task, deadline);
	return finish_lock(mutex, task);
}

STACK_ENTRY(mutex_lock_contended)
enum heddle_error mutex_lock_contended(struct mutex *mutex)
{
	return lock_contended(mutex, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(mutex_lock_contended_until)
enum heddle_error mutex_lock_contended_until(struct mutex *mutex, uint64_t deadline)
{
	if (owed_is_of(scheduler_current(), mutex))
		return mutex_take_back_whole(mutex);
	return lock_contended(mutex, deadline);
}

enum heddle_error mutex_lock_kept(struct mutex *mutex)
{
	struct task *task = task_current();
	struct wait_object object = object_of(mutex);
	if (mutex_take(mutex))
		return mutex_enter(mutex, task);
	ASSERT(task->locks.waiter && task->locks.waiter->use == mutex);
	enum heddle_error error = wait_begin_kept(&object);
	ASSERT(error == HEDDLE_OK);
	(void)error;
	switch_away(finalize_mutex_lock, mutex);
	return finish_lock(mutex, task);
}

enum heddle_error mutex_lock(struct mutex *mutex)
{
	struct scheduler *scheduler = scheduler_current();
	if (__builtin_expect(owed_is_of(scheduler, mutex), 0))
		return mutex_take_back(mutex);
	if (__builtin_expect(!mutex_take(mutex), 0))
		return lock_with_room(mutex);
	return mutex_enter(mutex, scheduler->current);
}

enum heddle_error mutex_lock_until(struct mutex *mutex, uint64_t deadline)
{
	if (__builtin_expect(!mutex_take(mutex), 0))
		return lock_with_room_until(mutex, deadline);
	return mutex_enter(mutex, task_current());
}

enum heddle_error mutex_try_lock(struct mutex *mutex)
{
	struct task *task = task_current();
	if (mutex_take(mutex))
		return mutex_enter(mutex, task);
	return mutex_is_held(mutex, task) ? HEDDLE_RELOCKED : HEDDLE_BUSY;
}

/* --------------------------------------------------------------------------------------------- unlock -- */

struct waiter *mutex_first(struct mutex *mutex)
{
	if (!mutex->first && mutex_has_stack(mutex))
		mutex_take_waiters(mutex);
	return mutex->first;
}

static inline struct task *pass(struct mutex *mutex, bool keep)
{
	for (;;) {
		if (!mutex->first) {
			if (keep ? !mutex_has_stack(mutex) : mutex_unlock_to(mutex, MUTEX_FREE))
				return NULL;
			mutex_take_waiters(mutex);
		}
		struct waiter *waiter = mutex->first;
		struct task *task = waiter->task;
		mutex->first = waiter->next;
		chain_expect(scheduler_current(), waiter->next);
		mutex_set_owner(mutex, task);
		if (__builtin_expect(mutex->counters.measured && mutex->delays, 0))
			mutex->delays->handed_over = arch_clock();
		if (waiter_try_grant(waiter, task) || waiter_grant(waiter))
			return task;
		mutex_set_owner(mutex, NULL);
	}
}

struct task *mutex_pass(struct mutex *mutex, bool keep)
{
	return pass(mutex, keep);
}

struct task *mutex_hand_over(struct mutex *mutex, struct task *task)
{
	/* Before the hand-over, which puts the mutex into a list of the next holder. */
	leave(mutex, task);
	struct task *next = mutex_pass(mutex, true);
	if (!next)
		mutex_hold_again(mutex, task);
	return next;
}

/* Whether it was unlocked, and is plain now. */
static bool unlock_when_due(struct mutex *mutex)
{
	return mutex_is_due(mutex) && !mutex->first && mutex_is_calm(mutex) &&
	       mutex_unlock_to(mutex, MUTEX_PLAIN);
}

STACK_ENTRY(mutex_unlock_contended)
enum heddle_error mutex_unlock_contended(struct mutex *mutex)
{
	struct task *task = task_current();
	if (!mutex_leave(mutex, task))
		return lock_misused("mutex_unlock()", mutex_kind, mutex, HEDDLE_NOT_OWNER);
	struct task *next = unlock_when_due(mutex) ? NULL : pass(mutex, false);
	extension_end(task);
	if (next && !deferral_begin(&mutex->deferral, mutex, next))
		exchange_to(next);
	return HEDDLE_OK;
}

STACK_ENTRY(mutex_exchange)
void mutex_exchange(struct task *next)
{
	exchange_full(next);
}

/* Hand over to the first in the queue, which runs here and at once, on the plain way: that needs no more stack than
 * every task has. If it is not possible, nothing was done yet, and the unlock goes on with more room. */
__attribute__((noinline)) static enum heddle_error hand_over_plainly(struct mutex *mutex, struct task *task,
                                                                     struct waiter *first)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *next = first->task;
	struct waiter *second = first->next;
	if (__builtin_expect(mutex->counters.measured, 0) || !switch_may_make_way(scheduler, task) ||
	    !waiter_try_grant(first, next))
		return unlock_with_room(mutex);
	trace_release(mutex);
	mutex->deferral.pause--;
	mutex->first = second;
	task->held = mutex->held_next;
	mutex_set_owner(mutex, next);
	if (__builtin_expect(switch_is_like(task, next), 1))
		switch_exchange(scheduler, task, next, second);
	else
		exchange_with_room(next);
	return HEDDLE_OK;
}

/* Apart from the former, which saves registers. */
__attribute__((noinline)) static enum heddle_error hand_over_later(struct mutex *mutex, struct task *task,
                                                                   struct waiter *first)
{
	return mutex_give_again(mutex, task, first) ? HEDDLE_OK : unlock_with_room(mutex);
}

enum heddle_error mutex_unlock(struct mutex *mutex)
{
	struct task *task = task_current();
	struct waiter *first = mutex->first;
	if (__builtin_expect(task->held != mutex, 0))
		return unlock_with_room(mutex);
	if (__builtin_expect(first != NULL, 0))
		return mutex->deferral.pause == 0 ? hand_over_later(mutex, task, first)
		                                  : hand_over_plainly(mutex, task, first);
	task->held = mutex->held_next;
	mutex_set_owner(mutex, NULL);
	if (__builtin_expect(!mutex_unlock_plainly(mutex), 0) &&
	    __builtin_expect(mutex_is_due(mutex) || !mutex_unlock_to(mutex, MUTEX_FREE), 0)) {
		mutex_hold_again(mutex, task);
		return unlock_with_room(mutex);
	}
	trace_release(mutex);
	extension_make_way(task);
	return HEDDLE_OK;
}
