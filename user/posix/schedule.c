#include "user/posix/schedule.h"

#include <errno.h>

#include "user/posix/attributes.h"
#include "user/posix/table.h"

#define UPPER_HALF 50

enum heddle_priority schedule_level(int policy, int priority)
{
	if (policy == SCHED_FIFO || policy == SCHED_RR)
		return priority >= UPPER_HALF ? HEDDLE_PRIORITY_REALTIME : HEDDLE_PRIORITY_HIGH;
	return HEDDLE_PRIORITY_NORMAL;
}

bool schedule_is_valid(int policy, int priority)
{
	if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR)
		return false;
	return priority >= sched_get_priority_min(policy) && priority <= sched_get_priority_max(policy);
}

int pthread_getschedparam(pthread_t number, int *policy, struct sched_param *parameter)
{
	thread_lock();
	const struct thread *thread = thread_find(number);
	if (thread) {
		*policy = thread->policy;
		*parameter = (struct sched_param){.sched_priority = thread->priority};
	}
	thread_unlock();
	return thread ? 0 : ESRCH;
}

/* Only the task itself can change its priority (heddle/task.h). */
static int set(pthread_t number, int policy, int priority)
{
	struct thread *own = thread_current();
	thread_lock();
	struct thread *thread = thread_find(number);
	int error = !thread ? ESRCH : !schedule_is_valid(policy, priority) ? EINVAL : thread != own ? ENOTSUP : 0;
	if (error == 0) {
		own->policy = policy;
		own->priority = priority;
	}
	thread_unlock();
	if (error == 0)
		task_set_priority(schedule_level(policy, priority));
	return error;
}

int pthread_setschedparam(pthread_t number, int policy, const struct sched_param *parameter)
{
	return set(number, policy, parameter->sched_priority);
}

int pthread_setschedprio(pthread_t number, int priority)
{
	int policy;
	struct sched_param before;
	int error = pthread_getschedparam(number, &policy, &before);
	return error == 0 ? set(number, policy, priority) : error;
}

/* ------------------------------------------------------------------------------------------- processors -- */

/* A thread may run on each processor that the process has. */
int pthread_getaffinity_np(pthread_t number, size_t size, cpu_set_t *set_of)
{
	thread_lock();
	bool there = thread_find(number);
	thread_unlock();
	if (!there)
		return ESRCH;
	return sched_getaffinity(0, size, set_of) == 0 ? 0 : errno;
}

int pthread_setaffinity_np(pthread_t number, size_t size, const cpu_set_t *set_of)
{
	(void)number, (void)size, (void)set_of;
	return ENOTSUP;
}

int pthread_attr_getaffinity_np(const pthread_attr_t *attributes, size_t size, cpu_set_t *set_of)
{
	int error = attributes_check(attributes->heddle_made);
	return error == 0 && sched_getaffinity(0, size, set_of) != 0 ? errno : error;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set_of)
{
	(void)attributes, (void)size, (void)set_of;
	return ENOTSUP;
}
