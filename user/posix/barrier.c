#include "heddle/barrier.h"
#include "heddle/host.h"

#include <errno.h>

#include "user/posix/attributes.h"
#include "user/posix/thread.h"

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "the public structure has room");

static struct barrier *barrier_of(pthread_barrier_t *barrier)
{
	return (struct barrier *)barrier;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                         unsigned parties)
{
	if (parties == 0 || (attributes && attributes_check(attributes->heddle_made) != 0))
		return EINVAL;
	*barrier_of(barrier) = (struct barrier)HEDDLE_BARRIER_INITIALIZER(parties);
	return 0;
}

/* The one that let all threads go may still be about to leave. */
int pthread_barrier_destroy(pthread_barrier_t *public)
{
	struct barrier *barrier = barrier_of(public);
	enum heddle_error error;
	if (!heddle_calling_task())
		return barrier_destroy(barrier) == HEDDLE_OK ? 0 : EBUSY;
	do
		error = barrier_quiesce(barrier);
	while (thread_wait_again(error, "pthread_barrier_destroy()"));
	return error == HEDDLE_OK ? 0 : EBUSY;
}

/* No cancellation point: a thread that was cancelled would touch the barrier after all have come. */
int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	bool last = false;
	if (!thread_task("pthread_barrier_wait()"))
		return EINVAL;
	enum heddle_error error = barrier_wait_kept(barrier_of(barrier), &last);
	thread_wait_again(error, "pthread_barrier_wait()");
	if (error != HEDDLE_OK)
		return EINVAL;
	return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
