#include "heddle/condition.h"

#include "sched/run_next.h"

#include "sync/mutex.h"
#include "sync/serve.h"

enum { WAIT = 1, NOTIFY, QUIESCE };

static struct condition *condition_of(struct served *served)
{
	return (struct condition *)((char *)served - offsetof(struct condition, served));
}

/* How many tasks have come to wait, and were neither notified nor have withdrawn. Only the server changes it;
 * ordered by the release with which the condition is left. */
static uint32_t users_of(const struct condition *condition)
{
	return atomic_load_explicit(&condition->users, memory_order_relaxed);
}

static void change_users(struct condition *condition, int by)
{
	/* release: that the caller serves, for condition_is_left. */
	atomic_store_explicit(&condition->users, users_of(condition) + (uint32_t)by, memory_order_release);
}

/* By the server: whether a task waits for a notification, and has not given up. */
static bool condition_is_awaited(const struct condition *condition)
{
	const struct request *request = condition->waiting.first;
	while (request && wait_has_ended(request->task, request->ticket))
		request = request->next;
	return request;
}

/* Move the waiter to its mutex's queue, or give it the mutex. From here on only the mutex ends its wait. False: its
 * wait has ended, and the notification is for another. */
static bool condition_notify(struct condition *condition, struct request *waiting, struct granted *granted)
{
	struct task *task = waiting->task;
	struct mutex *mutex = waiting->mutex;
	uint64_t ticket = waiting->ticket;
	request_queue_remove(waiting);
	if (!wait_keep(task, ticket))
		return false;
	change_users(condition, -1);
	if (mutex_take_or_push(mutex, task->locks.waiter, ticket) == MUTEX_TAKEN &&
	    wait_grant(task, ticket, HEDDLE_OK))
		granted_add(granted, task);
	return true;
}

static void condition_step(struct served *object, struct request *request, struct granted *granted)
{
	struct condition *condition = condition_of(object);
	enum heddle_error result = HEDDLE_OK;
	if (request->operation == WAIT) {
		request_queue_put(&condition->waiting, request);
		change_users(condition, 1);
		return;
	}
	if (request->operation == QUIESCE && condition_is_awaited(condition)) {
		result = HEDDLE_IN_USE;
	} else if (request->operation == QUIESCE && users_of(condition) > 0) {
		request_queue_put(&condition->quiescing, request);
		return;
	}
	if (request->operation == REQUEST_WITHDRAW && request->target->operation == WAIT)
		change_users(condition, -1);
	uint32_t left = request->operation == NOTIFY ? request->count : 0;
	while (left > 0 && condition->waiting.first)
		left -= condition_notify(condition, condition->waiting.first, granted);
	request_grant(request, result, granted);
	if (users_of(condition) == 0)
		request_grant_all(&condition->quiescing, HEDDLE_OK, granted);
}

static const struct serve_kind kind = {"condition", condition_step};

/* ----------------------------------------------------------------------------------------------- wait -- */

/* On the waiting task's stack. */
struct call {
	struct condition *condition;
	struct request *request;
	struct mutex *mutex; /* to be given up; NULL: it was given up */
	struct task *next;   /* to this task, which must be made ready; NULL: its task runs */
};

/* First enter the condition's queue, then give up the mutex: its next holder finds us in the queue. */
static void finalize_condition_wait(struct task *left, void *argument)
{
	struct call call = *(struct call *)argument;
	struct granted granted = {0};
	uint64_t ticket = wait_leave(left);
	serve_in_finalizer(&call.condition->served, condition_step, call.request, &granted);
	if (call.mutex)
		call.next = mutex_pass(call.mutex, false);
	wait_arm(left, ticket);
	granted_publish(&granted);
	if (call.next)
		run_next_publish(call.next, processor_current()->index);
}

/* Give the mutex to its first waiter, which runs here at once if it may. */
static void condition_leave(struct call call)
{
	struct scheduler *scheduler = scheduler_current();
	call.next = mutex_pass(call.mutex, true);
	if (call.next)
		call.mutex = NULL;
	if (call.next && exchange_is_possible(scheduler, call.next)) {
		struct task *next = call.next;
		call.next = NULL;
		exchange_with(next, finalize_condition_wait, &call);
	} else {
		switch_away(finalize_condition_wait, &call);
	}
}

static void condition_withdraw(struct condition *condition, struct request *request)
{
	struct request withdrawal = {.operation = REQUEST_WITHDRAW, .immediate = true, .target = request};
	serve(&condition->served, &kind, &withdrawal, HEDDLE_NO_DEADLINE, true);
}

/* The wait has ended with an error, and the mutex is not held. */
static enum heddle_error lock_again(struct mutex *mutex, enum heddle_error error)
{
	return mutex_lock_kept(mutex) == HEDDLE_OWNER_DIED ? HEDDLE_OWNER_DIED : error;
}

/* The deadline passed before the wait. A task that waits like this in a loop, for something that another does under
 * the mutex, must still let the other have it. */
__attribute__((noinline)) static enum heddle_error let_others_in(struct mutex *mutex, enum heddle_error error)
{
	mutex_unlock(mutex);
	return lock_again(mutex, error);
}

STACK_ENTRY(condition_wait_until)
enum heddle_error condition_wait_until(struct condition *condition, struct mutex *mutex, uint64_t deadline)
{
	struct task *task = task_current();
	struct wait_object report = {kind.name, condition, NULL};
	if (!mutex_is_held(mutex, task))
		return lock_misused("condition_wait()", mutex_kind, mutex, HEDDLE_NOT_OWNER);
	if (!waiter_take(task, mutex))
		return HEDDLE_NO_MEMORY;
	mutex_never_plain(mutex);
	enum heddle_error error = wait_begin(&report, deadline);
	if (error == HEDDLE_TIMED_OUT)
		return let_others_in(mutex, error);
	if (error != HEDDLE_OK) {
		waiter_unused(task);
		return error;
	}
	struct request request = {.operation = WAIT, .task = task, .ticket = wait_ticket(task), .mutex = mutex};
	mutex_leave(mutex, task);
	extension_end(task);
	condition_leave((struct call){condition, &request, mutex, NULL});
	error = wait_finish();
	if (error == HEDDLE_OK) {
		exchange_count(&mutex->counters);
		return mutex_enter(mutex, task);
	}
	condition_withdraw(condition, &request);
	return lock_again(mutex, error);
}

STACK_ENTRY(condition_wait)
enum heddle_error condition_wait(struct condition *condition, struct mutex *mutex)
{
	return condition_wait_until(condition, mutex, HEDDLE_NO_DEADLINE);
}

/* --------------------------------------------------------------------------------------------- notify -- */

/* No task waits or is about to. A caller that has seen a waiter give up the mutex sees that
 * waiter here. */
static bool condition_is_unwaited(struct condition *condition)
{
	/* acquire: from the one that left it last. */
	return atomic_load_explicit(&condition->served.word, memory_order_acquire) == 0 &&
	       users_of(condition) == 0;
}

static enum heddle_error notify_some(struct condition *condition, uint32_t count)
{
	if (condition_is_unwaited(condition))
		return HEDDLE_OK;
	struct request request = {.operation = NOTIFY, .count = count, .immediate = true};
	return serve(&condition->served, &kind, &request, HEDDLE_NO_DEADLINE, true);
}

STACK_ENTRY(condition_notify_one)
enum heddle_error condition_notify_one(struct condition *condition)
{
	return notify_some(condition, 1);
}

STACK_ENTRY(condition_notify_all)
enum heddle_error condition_notify_all(struct condition *condition)
{
	return notify_some(condition, UINT32_MAX);
}

/* No task touches the condition. The last one that leaves serves when it is counted no more, so that is looked at
 * after the count. */
static bool condition_is_left(struct condition *condition)
{
	/* acquire: before the server is looked at, pairs with change_users. */
	return atomic_load_explicit(&condition->users, memory_order_acquire) == 0 &&
	       serve_is_left(&condition->served);
}

STACK_ENTRY(condition_quiesce)
enum heddle_error condition_quiesce(struct condition *condition)
{
	struct request request = {.operation = QUIESCE};
	if (condition_is_left(condition))
		return HEDDLE_OK;
	return serve(&condition->served, &kind, &request, HEDDLE_NO_DEADLINE, false);
}

enum heddle_error condition_destroy(struct condition *condition)
{
	return condition_is_left(condition)
	           ? HEDDLE_OK
	           : lock_misused("condition_destroy()", kind.name, condition, HEDDLE_IN_USE);
}
