/* C11's threads, made of POSIX's. */
#include <errno.h>

#include "heddle/threads.h"
#include "user/posix/clock.h"
#include "user/posix/thread.h"

static int result_of(int error)
{
	switch (error) {
	case 0:
		return thrd_success;
	case EBUSY:
		return thrd_busy;
	case ENOMEM:
		return thrd_nomem;
	case ETIMEDOUT:
		return thrd_timedout;
	default:
		return thrd_error;
	}
}

/* ---------------------------------------------------------------------------------------------- threads -- */

/* The function's result is in half of the register. */
static int create(thrd_t *thread, thrd_start_t start, void *argument, bool grows)
{
	int error = thread_create(thread, NULL, (void *(*)(void *))(void (*)(void))start, argument, grows);
	return error == EAGAIN ? thrd_nomem : result_of(error);
}

int heddle_thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
	return create(thread, start, argument, false);
}

int heddle_thrd_create_growing(thrd_t *thread, thrd_start_t start, void *argument)
{
	return create(thread, start, argument, true);
}

thrd_t thrd_current(void)
{
	return pthread_self();
}

int thrd_detach(thrd_t thread)
{
	return result_of(pthread_detach(thread));
}

int thrd_equal(thrd_t one, thrd_t other)
{
	return pthread_equal(one, other);
}

void thrd_exit(int result)
{
	pthread_exit((void *)(intptr_t)result);
}

int thrd_join(thrd_t thread, int *result)
{
	void *whole;
	int error = pthread_join(thread, &whole);
	if (error == 0 && result)
		*result = (int)(intptr_t)whole;
	return result_of(error);
}

int thrd_sleep(const struct timespec *time, struct timespec *rest)
{
	return heddle_nanosleep(time, rest) == 0 ? 0 : -2;
}

void thrd_yield(void)
{
	sched_yield();
}

/* -------------------------------------------------------------------------------- mutexes, conditions -- */

int mtx_init(mtx_t *mutex, int kind)
{
	if (kind & ~(mtx_timed | mtx_recursive))
		return thrd_error;
	*mutex = (mtx_t){kind & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL, {0}};
	return thrd_success;
}

void mtx_destroy(mtx_t *mutex)
{
	pthread_mutex_destroy(mutex);
}

int mtx_lock(mtx_t *mutex)
{
	return result_of(pthread_mutex_lock(mutex));
}

int mtx_timedlock(mtx_t *mutex, const struct timespec *time)
{
	return result_of(pthread_mutex_timedlock(mutex, time));
}

int mtx_trylock(mtx_t *mutex)
{
	return result_of(pthread_mutex_trylock(mutex));
}

int mtx_unlock(mtx_t *mutex)
{
	return result_of(pthread_mutex_unlock(mutex));
}

int cnd_init(cnd_t *condition)
{
	return result_of(pthread_cond_init(condition, NULL));
}

void cnd_destroy(cnd_t *condition)
{
	pthread_cond_destroy(condition);
}

int cnd_broadcast(cnd_t *condition)
{
	return result_of(pthread_cond_broadcast(condition));
}

int cnd_signal(cnd_t *condition)
{
	return result_of(pthread_cond_signal(condition));
}

int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time)
{
	return result_of(pthread_cond_timedwait(condition, mutex, time));
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
	return result_of(pthread_cond_wait(condition, mutex));
}

/* ---------------------------------------------------------------------------------------- keys and once -- */

int tss_create(tss_t *key, tss_dtor_t destructor)
{
	return result_of(pthread_key_create(key, destructor));
}

void tss_delete(tss_t key)
{
	pthread_key_delete(key);
}

void *tss_get(tss_t key)
{
	return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value)
{
	return result_of(pthread_setspecific(key, value));
}

_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "they are the same, as in the C library");

void call_once(once_flag *once, void (*routine)(void))
{
	pthread_once((pthread_once_t *)once, routine);
}
