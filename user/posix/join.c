/* Waiting for the end of threads, and detaching them. */
#include <errno.h>

#include "user/posix/clock.h"
#include "user/posix/table.h"
#include "user/posix/thread_stack.h"

/* Reserve the thread for the caller to join. */
static int join_begin(pthread_t number, struct thread **found)
{
	const struct thread *own = thread_current();
	int error = 0;
	thread_lock();
	struct thread *thread = thread_find(number);
	if (!thread)
		error = ESRCH;
	else if (thread->detached)
		error = EINVAL;
	else if (thread == own)
		error = EDEADLK;
	else if (thread->joined)
		error = EINVAL;
	else
		thread->joined = true;
	thread_unlock();
	*found = thread;
	return error;
}

/* Undo that. */
static void join_withdraw(struct thread *thread)
{
	thread_lock();
	thread->joined = false;
	thread_unlock();
}

static void join_end(struct thread *thread, void **result)
{
	stack_leave(thread);
	thread_lock();
	if (result)
		*result = thread->result;
	thread_free(thread);
	thread_unlock();
}

static int join(pthread_t number, void **result, struct limit limit)
{
	struct thread *thread;
	enum heddle_error waited = HEDDLE_CANCELLED;
	if (!limit_is_valid(limit))
		return EINVAL;
	thread_test_cancel();
	int error = join_begin(number, &thread);
	if (error != 0)
		return error;
	while (!thread_is_to_end() && limit_wait_again(limit, waited, "pthread_join()"))
		waited = event_wait_until(&thread->ended, limit_deadline(limit));
	if (waited == HEDDLE_OK) {
		join_end(thread, result);
		return 0;
	}
	join_withdraw(thread);
	thread_test_cancel();
	return ETIMEDOUT;
}

int pthread_join(pthread_t thread, void **result)
{
	return join(thread, result, NO_LIMIT);
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *time)
{
	return join(thread, result, (struct limit){clock, time});
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *time)
{
	return join(thread, result, (struct limit){CLOCK_REALTIME, time});
}

int pthread_tryjoin_np(pthread_t number, void **result)
{
	struct thread *thread;
	int error = join_begin(number, &thread);
	if (error != 0)
		return error;
	if (event_is_set(&thread->ended)) {
		join_end(thread, result);
		return 0;
	}
	join_withdraw(thread);
	return EBUSY;
}

int pthread_detach(pthread_t number)
{
	int error = 0;
	thread_lock();
	struct thread *thread = thread_find(number);
	if (!thread)
		error = ESRCH;
	else if (thread->detached || thread->joined)
		error = EINVAL;
	else
		thread->detached = true;
	if (error == 0 && thread->state == THREAD_ENDED)
		stack_leave_later(thread);
	thread_unlock();
	return error;
}
