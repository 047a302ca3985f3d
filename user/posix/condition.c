#include "heddle/condition.h"
#include "heddle/host.h"

#include <errno.h>

#include "user/posix/attributes.h"
#include "user/posix/mutex.h"
#include "user/posix/thread.h"

struct posix_condition {
	struct condition condition;
	clockid_t clock;
};

_Static_assert(sizeof(struct posix_condition) <= sizeof(pthread_cond_t), "the public structure has room");
_Static_assert(CLOCK_REALTIME == 0, "the clock of a condition that is zeroed memory");

static struct posix_condition *condition_of(pthread_cond_t *condition)
{
	return (struct posix_condition *)condition;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
	if (attributes && attributes_check(attributes->heddle_made) != 0)
		return EINVAL;
	*condition_of(condition) = (struct posix_condition){
	    HEDDLE_CONDITION_INITIALIZER, attributes ? attributes->heddle_clock : CLOCK_REALTIME};
	return 0;
}

/* Threads that were notified, or whose time is over, may still be about to leave. */
int pthread_cond_destroy(pthread_cond_t *public)
{
	struct condition *condition = &condition_of(public)->condition;
	enum heddle_error error;
	if (!heddle_calling_task())
		return condition_destroy(condition) == HEDDLE_OK ? 0 : EBUSY;
	do
		error = condition_quiesce(condition);
	while (thread_wait_again(error, "pthread_cond_destroy()"));
	return error == HEDDLE_OK ? 0 : EBUSY;
}

/* If a wait is cancelled, but the thread does not end, or if its clock was set back, the wait is over without a
 * notification: the caller checks its condition in any case. It must not wait again here: the condition may be gone. */
static int wait(pthread_cond_t *public, pthread_mutex_t *public_mutex, struct limit limit)
{
	struct posix_condition *condition = condition_of(public);
	struct posix_mutex *mutex = posix_mutex_of(public_mutex);
	const struct task *task = thread_task("pthread_cond_wait()");
	if (!limit_is_valid(limit))
		return EINVAL;
	if (!task || !mutex_is_owned(&mutex->mutex))
		return EPERM;
	thread_test_cancel();
	uint32_t count = mutex->count;
	enum heddle_error error =
	    condition_wait_until(&condition->condition, &mutex->mutex, limit_deadline(limit));
	int held = posix_mutex_hold(mutex, count, error);
	if (thread_wait_again(error, "pthread_cond_wait()"))
		thread_test_cancel();
	return error == HEDDLE_TIMED_OUT && limit_has_passed(limit) ? ETIMEDOUT : held;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	return wait(condition, mutex, NO_LIMIT);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time)
{
	return wait(condition, mutex, (struct limit){condition_of(condition)->clock, time});
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *time)
{
	return wait(condition, mutex, (struct limit){clock, time});
}

static intptr_t notify_one(void *condition)
{
	condition_notify_one(&condition_of(condition)->condition);
	return 0;
}

static intptr_t notify_all(void *condition)
{
	condition_notify_all(&condition_of(condition)->condition);
	return 0;
}

/* If there are no tasks, none waits. */
static int notify(task_function function, pthread_cond_t *condition)
{
	if (heddle_calling_task())
		return (int)function(condition);
	return thread_has_tasks() ? thread_call_as_task(function, condition) : 0;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
	return notify(notify_one, condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
	return notify(notify_all, condition);
}
