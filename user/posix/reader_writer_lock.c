#include "heddle/reader_writer_lock.h"

#include <errno.h>
#include <stdlib.h>

#include "user/posix/attributes.h"
#include "user/posix/clock.h"
#include "user/posix/thread.h"

/* A task that reads may read again even if a writer waits: otherwise it would wait for itself. Such a further share
 * is not a share of Heddle's lock; it is counted here. */
struct thread_rereading {
	const void *lock;
	size_t count;
	struct thread_rereading *next;
};

struct posix_reader_writer_lock {
	struct reader_writer_lock lock;
};

_Static_assert(sizeof(struct posix_reader_writer_lock) <= sizeof(pthread_rwlock_t),
               "the public structure has room");

static struct posix_reader_writer_lock *lock_of(pthread_rwlock_t *lock)
{
	return (struct posix_reader_writer_lock *)lock;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
	if (attributes && attributes_check(attributes->heddle_made) != 0)
		return EINVAL;
	*lock_of(lock) = (struct posix_reader_writer_lock){0};
	return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
	return reader_writer_lock_destroy(&lock_of(lock)->lock) == HEDDLE_OK ? 0 : EBUSY;
}

/* Wait with one of the functions below, and no longer than the limit. */
static enum heddle_error wait(struct reader_writer_lock *lock, struct limit limit, const char *function,
                              enum heddle_error (*try_lock)(struct reader_writer_lock *lock),
                              enum heddle_error (*lock_until)(struct reader_writer_lock *lock,
                                                              uint64_t deadline))
{
	enum heddle_error error = try_lock(lock);
	if (error == HEDDLE_BUSY && !limit_is_valid(limit))
		return HEDDLE_BAD_ARGUMENT;
	while (error == HEDDLE_BUSY || (error != HEDDLE_NO_MEMORY && limit_wait_again(limit, error, function)))
		error = lock_until(lock, limit_deadline(limit));
	return error;
}

static int number_of(enum heddle_error error)
{
	switch (error) {
	case HEDDLE_OK:
	case HEDDLE_OWNER_DIED:
		return 0;
	case HEDDLE_BUSY:
		return EBUSY;
	case HEDDLE_RELOCKED:
		return EDEADLK;
	case HEDDLE_TIMED_OUT:
		return ETIMEDOUT;
	case HEDDLE_BAD_ARGUMENT:
		return EINVAL;
	case HEDDLE_NOT_OWNER:
		return EPERM;
	default:
		return EAGAIN;
	}
}

/* ------------------------------------------------------------------------------------------------ read -- */

static struct thread_rereading **find_rereading(struct thread *thread, const void *lock)
{
	struct thread_rereading **link = &thread->rereading;
	while (*link && (*link)->lock != lock)
		link = &(*link)->next;
	return link;
}

static int read_once_more(const void *lock)
{
	struct thread *thread = thread_current();
	struct thread_rereading **link = thread ? find_rereading(thread, lock) : NULL;
	if (link && !*link && (*link = malloc(sizeof(**link))))
		**link = (struct thread_rereading){lock, 0, NULL};
	if (!link || !*link)
		return EAGAIN;
	(*link)->count++;
	return 0;
}

/* Whether the task gives back such a share. */
static bool read_once_less(const void *lock)
{
	struct thread *thread = thread_current_or_none();
	struct thread_rereading **link = thread ? find_rereading(thread, lock) : NULL;
	if (!link || !*link)
		return false;
	struct thread_rereading *found = *link;
	if (--found->count == 0) {
		*link = found->next;
		free(found);
	}
	return true;
}

void thread_rereading_end(struct thread *thread)
{
	for (struct thread_rereading *found; (found = thread->rereading);) {
		thread->rereading = found->next;
		free(found);
	}
}

static int lock_to_read(pthread_rwlock_t *public, struct limit limit, const char *function)
{
	struct posix_reader_writer_lock *lock = lock_of(public);
	if (!thread_task(function))
		return 0;
	if (reader_writer_lock_is_written(&lock->lock))
		return EDEADLK;
	enum heddle_error error =
	    wait(&lock->lock, limit, function, reader_writer_lock_try_read, reader_writer_lock_read_until);
	return error == HEDDLE_RELOCKED ? read_once_more(lock) : number_of(error);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	return lock_to_read(lock, NO_LIMIT, "pthread_rwlock_rdlock()");
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time)
{
	return lock_to_read(lock, (struct limit){CLOCK_REALTIME, time}, "pthread_rwlock_timedrdlock()");
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time)
{
	return lock_to_read(lock, (struct limit){clock, time}, "pthread_rwlock_clockrdlock()");
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	if (!thread_task("pthread_rwlock_tryrdlock()"))
		return 0;
	enum heddle_error error = reader_writer_lock_try_read(&lock_of(lock)->lock);
	return error == HEDDLE_RELOCKED ? EBUSY : number_of(error);
}

/* ----------------------------------------------------------------------------------------------- write -- */

/* If the last writer has ended, its data stay as they are: POSIX has no error for that. */
static int begin_writing(struct posix_reader_writer_lock *lock, enum heddle_error error)
{
	if (error == HEDDLE_OWNER_DIED)
		reader_writer_lock_repair(&lock->lock);
	return number_of(error);
}

static int lock_to_write(pthread_rwlock_t *public, struct limit limit, const char *function)
{
	struct posix_reader_writer_lock *lock = lock_of(public);
	if (!thread_task(function))
		return 0;
	return begin_writing(lock, wait(&lock->lock, limit, function, reader_writer_lock_try_write,
	                                reader_writer_lock_write_until));
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	return lock_to_write(lock, NO_LIMIT, "pthread_rwlock_wrlock()");
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time)
{
	return lock_to_write(lock, (struct limit){CLOCK_REALTIME, time}, "pthread_rwlock_timedwrlock()");
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time)
{
	return lock_to_write(lock, (struct limit){clock, time}, "pthread_rwlock_clockwrlock()");
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	if (!thread_task("pthread_rwlock_trywrlock()"))
		return 0;
	enum heddle_error error = reader_writer_lock_try_write(&lock_of(lock)->lock);
	return error == HEDDLE_RELOCKED ? EBUSY : begin_writing(lock_of(lock), error);
}

int pthread_rwlock_unlock(pthread_rwlock_t *public)
{
	struct posix_reader_writer_lock *lock = lock_of(public);
	if (!thread_task("pthread_rwlock_unlock()"))
		return 0;
	if (reader_writer_lock_is_written(&lock->lock))
		return number_of(reader_writer_lock_write_unlock(&lock->lock));
	return read_once_less(lock) ? 0 : number_of(reader_writer_lock_read_unlock(&lock->lock));
}
