/* What a thread knows of itself and of others. */
#include <errno.h>
#include <string.h>

#include "user/posix/table.h"

#define NOT_A_THREAD (~(pthread_t)0) /* returned to a caller that is no task */

pthread_t pthread_self(void)
{
	const struct thread *thread = thread_current();
	return thread ? thread_number(thread) : NOT_A_THREAD;
}

int pthread_equal(pthread_t one, pthread_t other)
{
	return one == other;
}

int pthread_setname_np(pthread_t number, const char *name)
{
	if (strlen(name) >= THREAD_NAME)
		return ERANGE;
	thread_lock();
	struct thread *thread = thread_find(number);
	if (thread)
		strcpy(thread->name, name);
	thread_unlock();
	return thread ? 0 : ESRCH;
}

int pthread_getname_np(pthread_t number, char *name, size_t size)
{
	if (size < THREAD_NAME)
		return ERANGE;
	thread_lock();
	const struct thread *thread = thread_find(number);
	if (thread)
		strcpy(name, thread->name);
	thread_unlock();
	return thread ? 0 : ESRCH;
}

int pthread_getattr_np(pthread_t number, pthread_attr_t *attributes)
{
	pthread_attr_init(attributes);
	thread_lock();
	const struct thread *thread = thread_find(number);
	if (thread) {
		attributes->heddle_detached = thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE;
		attributes->heddle_policy = thread->policy;
		attributes->heddle_priority = thread->priority;
		attributes->heddle_stack = thread->stack_size;
		attributes->heddle_stack_memory = thread->stack;
	}
	thread_unlock();
	if (!thread)
		return ESRCH;
	return attributes->heddle_stack_memory ? 0 : ENOTSUP;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
	(void)thread, (void)clock;
	return ENOENT;
}
