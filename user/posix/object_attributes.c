/* Attributes of mutexes, conditions, reader-writer locks and barriers. */
#include "user/posix/attributes.h"

/* ---------------------------------------------------------------------------------------------- mutexes -- */

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
	*attributes = (pthread_mutexattr_t){ATTRIBUTES_MADE, PTHREAD_MUTEX_DEFAULT, PTHREAD_MUTEX_STALLED};
	return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes)
{
	return attributes_end(attributes ? &attributes->heddle_made : NULL);
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind)
{
	*kind = attributes->heddle_kind;
	return attributes_check(attributes->heddle_made);
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
	return attributes_set(attributes->heddle_made, &attributes->heddle_kind, kind,
	                      kind == PTHREAD_MUTEX_NORMAL || kind == PTHREAD_MUTEX_RECURSIVE ||
	                          kind == PTHREAD_MUTEX_ERRORCHECK || kind == PTHREAD_MUTEX_ADAPTIVE_NP);
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust)
{
	*robust = attributes->heddle_robust;
	return attributes_check(attributes->heddle_made);
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust)
{
	return attributes_set(attributes->heddle_made, &attributes->heddle_robust, robust,
	                      robust == PTHREAD_MUTEX_STALLED || robust == PTHREAD_MUTEX_ROBUST);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared)
{
	*shared = PTHREAD_PROCESS_PRIVATE;
	return attributes_check(attributes->heddle_made);
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared)
{
	return attributes_set_shared(attributes->heddle_made, shared);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol)
{
	*protocol = PTHREAD_PRIO_NONE;
	return attributes_check(attributes->heddle_made);
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol)
{
	if (protocol == PTHREAD_PRIO_INHERIT || protocol == PTHREAD_PRIO_PROTECT)
		return ENOTSUP;
	return protocol == PTHREAD_PRIO_NONE ? attributes_check(attributes->heddle_made) : EINVAL;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling)
{
	(void)ceiling;
	return attributes_check(attributes->heddle_made) == 0 ? ENOTSUP : EINVAL;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling)
{
	(void)ceiling;
	return attributes_check(attributes->heddle_made) == 0 ? ENOTSUP : EINVAL;
}

/* ------------------------------------------------------------------------------------------- conditions -- */

int pthread_condattr_init(pthread_condattr_t *attributes)
{
	*attributes = (pthread_condattr_t){ATTRIBUTES_MADE, CLOCK_REALTIME};
	return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
	return attributes_end(attributes ? &attributes->heddle_made : NULL);
}

int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock)
{
	*clock = attributes->heddle_clock;
	return attributes_check(attributes->heddle_made);
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock)
{
	return attributes_set(attributes->heddle_made, &attributes->heddle_clock, clock,
	                      clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC);
}

int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared)
{
	*shared = PTHREAD_PROCESS_PRIVATE;
	return attributes_check(attributes->heddle_made);
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared)
{
	return attributes_set_shared(attributes->heddle_made, shared);
}

/* ---------------------------------------------------------------------------------- reader-writer locks -- */

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes)
{
	*attributes = (pthread_rwlockattr_t){ATTRIBUTES_MADE, PTHREAD_RWLOCK_DEFAULT_NP};
	return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes)
{
	return attributes_end(attributes ? &attributes->heddle_made : NULL);
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared)
{
	*shared = PTHREAD_PROCESS_PRIVATE;
	return attributes_check(attributes->heddle_made);
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared)
{
	return attributes_set_shared(attributes->heddle_made, shared);
}

/* The lock is fair, whatever the kind. */
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind)
{
	*kind = attributes->heddle_kind;
	return attributes_check(attributes->heddle_made);
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind)
{
	return attributes_set(attributes->heddle_made, &attributes->heddle_kind, kind,
	                      kind == PTHREAD_RWLOCK_PREFER_READER_NP ||
	                          kind == PTHREAD_RWLOCK_PREFER_WRITER_NP ||
	                          kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
}

/* --------------------------------------------------------------------------------------------- barriers -- */

int pthread_barrierattr_init(pthread_barrierattr_t *attributes)
{
	*attributes = (pthread_barrierattr_t){ATTRIBUTES_MADE, 0};
	return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes)
{
	return attributes_end(attributes ? &attributes->heddle_made : NULL);
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared)
{
	*shared = PTHREAD_PROCESS_PRIVATE;
	return attributes_check(attributes->heddle_made);
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared)
{
	return attributes_set_shared(attributes->heddle_made, shared);
}
