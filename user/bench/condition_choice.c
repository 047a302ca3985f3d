#include "user/bench/condition_choice.h"

#include <stdatomic.h>

/* On the waiting task's stack, which stays valid while the notifying task holds the mutex. */
struct condition_waiter {
	struct condition_waiter *next;
	struct task *task;
	atomic_bool notified;
};

static void waiter_wait(struct chosen_condition *condition, struct chosen_mutex *mutex)
{
	struct condition_waiter waiter = {.task = task_current()};
	if (condition->first)
		condition->last->next = &waiter;
	else
		condition->first = &waiter;
	condition->last = &waiter;
	chosen_mutex_unlock(mutex);
	/* relaxed: holding the mutex makes everything before the notification visible */
	while (!atomic_load_explicit(&waiter.notified, memory_order_relaxed))
		task_suspend();
	chosen_mutex_lock(mutex);
}

static void waiter_notify(struct chosen_condition *condition)
{
	struct condition_waiter *waiter = condition->first;
	condition->first = waiter->next;
	atomic_store_explicit(&waiter->notified, true, memory_order_relaxed);
	task_resume(waiter->task);
}

void chosen_condition_wait(struct chosen_condition *condition, struct chosen_mutex *mutex)
{
	if (chosen_mutex_is_own(mutex))
		condition_wait(&condition->exchange, &mutex->exchange);
	else
		waiter_wait(condition, mutex);
}

void chosen_condition_notify_one(struct chosen_condition *condition, struct chosen_mutex *mutex)
{
	if (chosen_mutex_is_own(mutex))
		condition_notify_one(&condition->exchange);
	else if (condition->first)
		waiter_notify(condition);
}

void chosen_condition_notify_all(struct chosen_condition *condition, struct chosen_mutex *mutex)
{
	if (chosen_mutex_is_own(mutex))
		condition_notify_all(&condition->exchange);
	else
		while (condition->first)
			waiter_notify(condition);
}
