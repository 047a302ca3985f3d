#include "user/posix/mutex.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "user/posix/attributes.h"
#include "user/posix/thread.h"

int pthread_mutex_init(pthread_mutex_t *public, const pthread_mutexattr_t *attributes)
{
	struct posix_mutex *mutex = posix_mutex_of(public);
	if (attributes && attributes_check(attributes->heddle_made) != 0)
		return EINVAL;
	*mutex = (struct posix_mutex){
	    .kind = attributes ? attributes->heddle_kind : PTHREAD_MUTEX_DEFAULT,
	    .robust = attributes && attributes->heddle_robust == PTHREAD_MUTEX_ROBUST,
	};
	return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *public)
{
	struct posix_mutex *mutex = posix_mutex_of(public);
	if (mutex->kind == MUTEX_DESTROYED)
		return EINVAL;
	if (mutex_destroy(&mutex->mutex) != HEDDLE_OK)
		return EBUSY;
	mutex->kind = MUTEX_DESTROYED;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ lock -- */

int posix_mutex_hold(struct posix_mutex *mutex, uint32_t count, enum heddle_error error)
{
	mutex->count = count;
	if (error != HEDDLE_OWNER_DIED)
		return 0;
	if (!mutex->robust) {
		mutex_repair(&mutex->mutex); /* the host's mutex would stay locked for ever */
		return 0;
	}
	if (mutex->lost) {
		mutex_unlock(&mutex->mutex);
		return ENOTRECOVERABLE;
	}
	mutex->inconsistent = true;
	return EOWNERDEAD;
}

/* If a mutex does not check for errors, even its holder waits for it. */
static int wait_for_oneself(struct limit limit)
{
	dprintf(STDERR_FILENO,
	        "heddle: a thread locks a mutex that it holds, and waits for ever; one of the kind "
	        "PTHREAD_MUTEX_ERRORCHECK would say so\n");
	while (!limit_has_passed(limit))
		thread_wait_again(task_sleep_until(limit_deadline(limit)), "pthread_mutex_lock()");
	return ETIMEDOUT;
}

static int lock_again(struct posix_mutex *mutex, bool tries, struct limit limit)
{
	if (mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
		if (mutex->count == UINT32_MAX)
			return EAGAIN;
		mutex->count++;
		return 0;
	}
	if (tries)
		return EBUSY;
	if (mutex->kind == PTHREAD_MUTEX_ERRORCHECK)
		return EDEADLK;
	return limit_is_valid(limit) ? wait_for_oneself(limit) : EINVAL;
}

static int lock(pthread_mutex_t *public, struct limit limit, const char *function)
{
	struct posix_mutex *mutex = posix_mutex_of(public);
	const struct task *task = thread_task(function);
	if (mutex->kind == MUTEX_DESTROYED)
		return EINVAL;
	if (!task)
		return 0;
	enum heddle_error error = mutex_try_lock(&mutex->mutex);
	if (error == HEDDLE_RELOCKED)
		return lock_again(mutex, false, limit);
	if (error == HEDDLE_BUSY && !limit_is_valid(limit))
		return EINVAL;
	while (error == HEDDLE_BUSY || limit_wait_again(limit, error, function))
		error =
		    limit.time ? mutex_lock_until(&mutex->mutex, limit_deadline(limit)) : mutex_lock(&mutex->mutex);
	return error == HEDDLE_TIMED_OUT ? ETIMEDOUT : posix_mutex_hold(mutex, 1, error);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return lock(mutex, NO_LIMIT, "pthread_mutex_lock()");
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time)
{
	return lock(mutex, (struct limit){CLOCK_REALTIME, time}, "pthread_mutex_timedlock()");
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time)
{
	return lock(mutex, (struct limit){clock, time}, "pthread_mutex_clocklock()");
}

int pthread_mutex_trylock(pthread_mutex_t *public)
{
	struct posix_mutex *mutex = posix_mutex_of(public);
	const struct task *task = thread_task("pthread_mutex_trylock()");
	if (mutex->kind == MUTEX_DESTROYED)
		return EINVAL;
	if (!task)
		return 0;
	enum heddle_error error = mutex_try_lock(&mutex->mutex);
	if (error == HEDDLE_RELOCKED)
		return lock_again(mutex, true, NO_LIMIT);
	return error == HEDDLE_BUSY ? EBUSY : posix_mutex_hold(mutex, 1, error);
}

/* ---------------------------------------------------------------------------------------------- unlock -- */

int pthread_mutex_unlock(pthread_mutex_t *public)
{
	struct posix_mutex *mutex = posix_mutex_of(public);
	const struct task *task = thread_task("pthread_mutex_unlock()");
	if (mutex->kind == MUTEX_DESTROYED)
		return EINVAL;
	if (!task)
		return 0;
	if (!mutex_is_owned(&mutex->mutex))
		return EPERM;
	if (--mutex->count > 0)
		return 0;
	mutex->lost = mutex->inconsistent;
	mutex_unlock(&mutex->mutex);
	return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *public)
{
	struct posix_mutex *mutex = posix_mutex_of(public);
	if (!thread_task("pthread_mutex_consistent()") || !mutex_is_owned(&mutex->mutex) || !mutex->inconsistent)
		return EINVAL;
	mutex->inconsistent = false;
	mutex_repair(&mutex->mutex);
	return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling)
{
	(void)mutex, (void)ceiling;
	return EINVAL;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old)
{
	(void)mutex, (void)ceiling, (void)old;
	return EINVAL;
}

/* ------------------------------------------------------------------------------------ locks that spin -- */

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	int error = attributes_set_shared(ATTRIBUTES_MADE, shared);
	if (error == 0)
		*posix_mutex_of(lock) = (struct posix_mutex){.kind = PTHREAD_MUTEX_ERRORCHECK};
	return error;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
	return pthread_mutex_destroy(lock);
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
	return pthread_mutex_lock(lock);
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	return pthread_mutex_trylock(lock);
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	return pthread_mutex_unlock(lock);
}
