/* Cancellation, and the handlers that run at a thread's end. */
#include <errno.h>

#include "user/posix/table.h"

static bool is_to_end(const struct thread *thread)
{
	return atomic_load_explicit(&thread->cancelled, memory_order_relaxed) && !thread->cancel_disabled &&
	       !thread->ending;
}

void thread_test_cancel(void)
{
	struct thread *thread = thread_current_or_none();
	if (thread && is_to_end(thread))
		thread_exit(thread, PTHREAD_CANCELED);
}

bool thread_is_to_end(void)
{
	const struct thread *thread = thread_current_or_none();
	return thread && is_to_end(thread);
}

/* An asynchronous cancellation can come at no other point. */
static void test_asynchronous(struct thread *thread)
{
	if (thread->cancel_asynchronous)
		thread_test_cancel();
}

void pthread_testcancel(void)
{
	thread_test_cancel();
}

int pthread_cancel(pthread_t number)
{
	thread_lock();
	struct thread *thread = thread_find(number);
	if (thread)
		/* relaxed: the lock orders it before the task is known; or the task's wait, which comes later, is ended
		 * below. */
		atomic_store_explicit(&thread->cancelled, true, memory_order_relaxed);
	if (thread && thread->task)
		task_cancel(thread->task);
	thread_unlock();
	if (thread && thread == thread_current_or_none())
		test_asynchronous(thread);
	return thread ? 0 : ESRCH;
}

int pthread_setcancelstate(int state, int *old)
{
	struct thread *thread = thread_current();
	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
		return EINVAL;
	if (!thread)
		return ENOMEM;
	if (old)
		*old = thread->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
	thread->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
	test_asynchronous(thread);
	return 0;
}

int pthread_setcanceltype(int type, int *old)
{
	struct thread *thread = thread_current();
	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
		return EINVAL;
	if (!thread)
		return ENOMEM;
	if (old)
		*old = thread->cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
	thread->cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
	test_asynchronous(thread);
	return 0;
}

void heddle_cleanup_push(struct heddle_cleanup *cleanup)
{
	struct thread *thread = thread_current();
	if (!thread)
		return;
	cleanup->next = thread->cleanups;
	thread->cleanups = cleanup;
}

void heddle_cleanup_pop(struct heddle_cleanup *cleanup, int execute)
{
	struct thread *thread = thread_current();
	if (thread)
		thread->cleanups = cleanup->next;
	if (execute)
		cleanup->routine(cleanup->argument);
}
