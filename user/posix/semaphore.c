#include "user/posix/semaphore.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "heddle/host.h"
#include "user/posix/clock.h"
#include "user/posix/thread.h"

static struct posix_semaphore *semaphore_of(sem_t *semaphore)
{
	return (struct posix_semaphore *)semaphore;
}

static bool is_made(sem_t *semaphore)
{
	return semaphore && semaphore_of(semaphore)->made == SEMAPHORE_MADE;
}

int sem_init(sem_t *semaphore, int shared, unsigned value)
{
	if (value > SEM_VALUE_MAX)
		return failed_with(EINVAL);
	if (shared)
		return failed_with(ENOSYS);
	*semaphore_of(semaphore) = (struct posix_semaphore){HEDDLE_SEMAPHORE_INITIALIZER(value), SEMAPHORE_MADE};
	return 0;
}

/* A thread that has posted may still be about to leave, though another's wait has returned. */
static enum heddle_error quiesce(struct semaphore *semaphore)
{
	enum heddle_error error;
	if (!heddle_calling_task())
		return semaphore_destroy(semaphore);
	do
		error = semaphore_quiesce(semaphore);
	while (thread_wait_again(error, "sem_destroy()"));
	return error;
}

int sem_destroy(sem_t *semaphore)
{
	if (!is_made(semaphore))
		return failed_with(EINVAL);
	if (quiesce(&semaphore_of(semaphore)->semaphore) != HEDDLE_OK)
		return failed_with(EBUSY);
	semaphore_of(semaphore)->made = 0;
	return 0;
}

/* If no other thread exists that could release it. */
static int wait_alone(struct limit limit)
{
	while (!limit.time)
		pause();
	limit_sleep(limit);
	return failed_with(ETIMEDOUT);
}

static int wait(sem_t *public, struct limit limit, const char *function)
{
	if (!is_made(public))
		return failed_with(EINVAL);
	struct semaphore *semaphore = &semaphore_of(public)->semaphore;
	thread_test_cancel();
	enum heddle_error error = semaphore_try_acquire(semaphore, 1);
	if (error == HEDDLE_BUSY && !limit_is_valid(limit))
		return failed_with(EINVAL);
	if (error == HEDDLE_BUSY && !thread_task(function))
		return wait_alone(limit);
	while (error == HEDDLE_BUSY || limit_wait_again(limit, error, function)) {
		thread_test_cancel();
		error = semaphore_acquire_until(semaphore, 1, limit_deadline(limit));
	}
	return error == HEDDLE_OK ? 0 : failed_with(ETIMEDOUT);
}

int sem_wait(sem_t *semaphore)
{
	return wait(semaphore, NO_LIMIT, "sem_wait()");
}

int sem_timedwait(sem_t *semaphore, const struct timespec *time)
{
	return wait(semaphore, (struct limit){CLOCK_REALTIME, time}, "sem_timedwait()");
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time)
{
	return wait(semaphore, (struct limit){clock, time}, "sem_clockwait()");
}

int sem_trywait(sem_t *semaphore)
{
	if (!is_made(semaphore))
		return failed_with(EINVAL);
	return semaphore_try_acquire(&semaphore_of(semaphore)->semaphore, 1) == HEDDLE_OK ? 0
	                                                                                  : failed_with(EAGAIN);
}

static intptr_t post(void *semaphore)
{
	switch (semaphore_release(&semaphore_of(semaphore)->semaphore, 1)) {
	case HEDDLE_OK:
		return 0;
	case HEDDLE_OVERFLOW:
		return EOVERFLOW;
	default:
		return ENOMEM;
	}
}

int sem_post(sem_t *semaphore)
{
	if (!is_made(semaphore))
		return failed_with(EINVAL);
	int error = heddle_calling_task() || !thread_has_tasks() ? (int)post(semaphore)
	                                                         : thread_call_as_task(post, semaphore);
	return error == 0 ? 0 : failed_with(error);
}

int sem_getvalue(sem_t *semaphore, int *value)
{
	if (!is_made(semaphore))
		return failed_with(EINVAL);
	*value = (int)semaphore_permits(&semaphore_of(semaphore)->semaphore);
	return 0;
}
