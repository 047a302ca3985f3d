/* Attributes of threads. */
#include "user/posix/attributes.h"

#include <limits.h>
#include <stddef.h>

#include "heddle/task.h"
#include "user/posix/schedule.h"
#include "user/posix/stacks.h"

#define GUARD 4096

int pthread_attr_init(pthread_attr_t *attributes)
{
	*attributes = (pthread_attr_t){.heddle_made = ATTRIBUTES_MADE,
	                               .heddle_detached = PTHREAD_CREATE_JOINABLE,
	                               .heddle_inherits = PTHREAD_INHERIT_SCHED,
	                               .heddle_policy = SCHED_OTHER,
	                               .heddle_stack = STACK_USUAL,
	                               .heddle_guard = GUARD};
	return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
	return attributes_end(attributes ? &attributes->heddle_made : NULL);
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state)
{
	*state = attributes->heddle_detached;
	return attributes_check(attributes->heddle_made);
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)
{
	return attributes_set(attributes->heddle_made, &attributes->heddle_detached, state,
	                      state == PTHREAD_CREATE_JOINABLE || state == PTHREAD_CREATE_DETACHED);
}

/* ------------------------------------------------------------------------------------------- scheduling -- */

int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inherit)
{
	*inherit = attributes->heddle_inherits;
	return attributes_check(attributes->heddle_made);
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit)
{
	return attributes_set(attributes->heddle_made, &attributes->heddle_inherits, inherit,
	                      inherit == PTHREAD_INHERIT_SCHED || inherit == PTHREAD_EXPLICIT_SCHED);
}

int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameter)
{
	*parameter = (struct sched_param){.sched_priority = attributes->heddle_priority};
	return attributes_check(attributes->heddle_made);
}

int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameter)
{
	return attributes_set(attributes->heddle_made, &attributes->heddle_priority, parameter->sched_priority,
	                      schedule_is_valid(attributes->heddle_policy, parameter->sched_priority));
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *policy)
{
	*policy = attributes->heddle_policy;
	return attributes_check(attributes->heddle_made);
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy)
{
	return attributes_set(attributes->heddle_made, &attributes->heddle_policy, policy,
	                      schedule_is_valid(policy, sched_get_priority_min(policy)));
}

int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope)
{
	*scope = PTHREAD_SCOPE_SYSTEM;
	return attributes_check(attributes->heddle_made);
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope)
{
	if (scope == PTHREAD_SCOPE_PROCESS)
		return ENOTSUP; /* as on Linux; programs expect that */
	return scope == PTHREAD_SCOPE_SYSTEM ? attributes_check(attributes->heddle_made) : EINVAL;
}

/* ----------------------------------------------------------------------------------------------- stacks -- */

int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size)
{
	*size = attributes->heddle_stack;
	return attributes_check(attributes->heddle_made);
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
	if (attributes_check(attributes->heddle_made) != 0 || size < (size_t)PTHREAD_STACK_MIN)
		return EINVAL;
	attributes->heddle_stack = size;
	return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size)
{
	*size = attributes->heddle_guard;
	return attributes_check(attributes->heddle_made);
}

/* A stack of 64 KiB or more always has a guard, of Heddle's own size. */
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size)
{
	attributes->heddle_guard = size;
	return attributes_check(attributes->heddle_made);
}

int pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, size_t *size)
{
	*stack = attributes->heddle_stack_memory;
	return pthread_attr_getstacksize(attributes, size);
}

int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, size_t size)
{
	int error = pthread_attr_setstacksize(attributes, size);
	if (error == 0)
		attributes->heddle_stack_memory = stack;
	return error;
}

int pthread_attr_getstackaddr(const pthread_attr_t *attributes, void **stack)
{
	const char *low = attributes->heddle_stack_memory;
	*stack = low ? (void *)(low + attributes->heddle_stack) : NULL;
	return attributes_check(attributes->heddle_made);
}

int pthread_attr_setstackaddr(pthread_attr_t *attributes, void *stack)
{
	attributes->heddle_stack_memory = (char *)stack - attributes->heddle_stack;
	return attributes_check(attributes->heddle_made);
}
