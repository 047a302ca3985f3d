/* Limits of the system's headers, whichever comes last, and errors that only the call itself can find. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include <limits.h>

#include "check.h"

static void semaphores(void)
{
	sem_t semaphore;
	int value = 0;
	CHECK_EQUAL(sysconf(_SC_SEM_VALUE_MAX), SEM_VALUE_MAX);
	CHECK_EQUAL(sem_init(&semaphore, 0, SEM_VALUE_MAX), 0);
	CHECK_EQUAL(sem_getvalue(&semaphore, &value), 0);
	CHECK_EQUAL(value, SEM_VALUE_MAX);
	CHECK_EQUAL(sem_post(&semaphore), -1);
	CHECK_EQUAL(errno, EOVERFLOW);
	CHECK_EQUAL(sem_wait(&semaphore), 0);
	CHECK_EQUAL(sem_post(&semaphore), 0);
	CHECK_EQUAL(sem_destroy(&semaphore), 0);
	CHECK_EQUAL(sem_init(&semaphore, 0, SEM_VALUE_MAX + 1u), -1);
	CHECK_EQUAL(errno, EINVAL);
	printf("semaphores\n");
}

/* ----------------------------------------------------------------------------------------------- joins -- */

static sem_t may_go;

static void *join_oneself(void *unused)
{
	sem_wait(&may_go);
	CHECK_EQUAL(pthread_join(pthread_self(), NULL), EDEADLK);
	return unused;
}

static void *join_other(void *other)
{
	CHECK_EQUAL(pthread_join(*(pthread_t *)other, NULL), 0);
	return NULL;
}

/* Another joins it meanwhile. The host does not tell whether that has begun; for a task, EINVAL does. */
static void joins(void)
{
	pthread_t self, joiner;
	void *result;
	sem_init(&may_go, 0, 0);
	CHECK_EQUAL(pthread_create(&self, NULL, join_oneself, NULL), 0);
	CHECK_EQUAL(pthread_create(&joiner, NULL, join_other, &self), 0);
	for (int looks = 0; looks < 200 && pthread_tryjoin_np(self, &result) != EINVAL; looks++)
		usleep(1000);
	sem_post(&may_go);
	CHECK_EQUAL(pthread_join(joiner, NULL), 0);
	printf("joins\n");
}

static void clocks(void)
{
	const struct timespec no_time = {0, 0};
	CHECK_EQUAL(clock_nanosleep(1234567, 0, &no_time, NULL), EINVAL);
	CHECK_EQUAL(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &no_time, NULL), EINVAL);
	CHECK_EQUAL(clock_nanosleep(CLOCK_MONOTONIC, 0, &no_time, NULL), 0);
	CHECK_EQUAL(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &no_time, NULL), 0);
	printf("clocks\n");
}

int main(void)
{
	semaphores();
	joins();
	clocks();
	return 0;
}
