#include "heddle/barrier.h"

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

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	return barrier_destroy(barrier_of(barrier)) == HEDDLE_OK ? 0 : EBUSY;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	bool last = false;
	enum heddle_error error;
	if (!thread_task("pthread_barrier_wait()"))
		return EINVAL;
	do
		error = barrier_wait(barrier_of(barrier), &last);
	while (thread_wait_again(error, "pthread_barrier_wait()"));
	if (error != HEDDLE_OK)
		return EINVAL;
	return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
