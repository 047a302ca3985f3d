/* What a thread leaves locked when it ends is not the next thread's, which may lie in the same memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "check.h"

#define ROUNDS 20

static pthread_mutex_t mutex;
static sem_t is_held, may_go;

static void *join(pthread_t thread)
{
	void *result;
	CHECK_EQUAL(pthread_join(thread, &result), 0);
	return result;
}

static void *run(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	CHECK_EQUAL(pthread_create(&thread, NULL, function, argument), 0);
	return join(thread);
}

static void *lock_and_end(void *unused)
{
	CHECK_EQUAL(pthread_mutex_lock(&mutex), 0);
	return unused;
}

static void *try_lock(void *unused)
{
	(void)unused;
	return (void *)(long)pthread_mutex_trylock(&mutex);
}

static void *unlock(void *unused)
{
	(void)unused;
	return (void *)(long)pthread_mutex_unlock(&mutex);
}

static void *repair(void *unused)
{
	(void)unused;
	return (void *)(long)pthread_mutex_consistent(&mutex);
}

/* It is told, it alone has the mutex, and it repairs it. */
static void *hold(void *tries)
{
	CHECK_EQUAL(tries ? pthread_mutex_trylock(&mutex) : pthread_mutex_lock(&mutex), EOWNERDEAD);
	sem_post(&is_held);
	sem_wait(&may_go);
	CHECK_EQUAL(pthread_mutex_consistent(&mutex), 0);
	CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
	return NULL;
}

static void robust(int kind, int tries)
{
	pthread_mutexattr_t attributes;
	pthread_t thread;
	pthread_mutexattr_init(&attributes);
	CHECK_EQUAL(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST), 0);
	CHECK_EQUAL(pthread_mutexattr_settype(&attributes, kind), 0);
	CHECK_EQUAL(pthread_mutex_init(&mutex, &attributes), 0);
	run(lock_and_end, NULL);
	CHECK_EQUAL((long)run(unlock, NULL), EPERM);
	CHECK_EQUAL((long)run(repair, NULL), EINVAL);
	CHECK_EQUAL(pthread_create(&thread, NULL, hold, tries ? &mutex : NULL), 0);
	sem_wait(&is_held);
	CHECK_EQUAL((long)run(try_lock, NULL), EBUSY);
	sem_post(&may_go);
	join(thread);
	CHECK_EQUAL(pthread_mutex_lock(&mutex), 0);
	CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
	CHECK_EQUAL(pthread_mutex_destroy(&mutex), 0);
}

/* One that was told and ends as well tells the next. */
static void *hold_and_end(void *unused)
{
	CHECK_EQUAL(pthread_mutex_lock(&mutex), EOWNERDEAD);
	return unused;
}

static void told_again(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	CHECK_EQUAL(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST), 0);
	CHECK_EQUAL(pthread_mutex_init(&mutex, &attributes), 0);
	run(lock_and_end, NULL);
	run(hold_and_end, NULL);
	run(hold_and_end, NULL);
	CHECK_EQUAL(pthread_mutex_lock(&mutex), EOWNERDEAD);
	CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
	CHECK_EQUAL((long)run(try_lock, NULL), ENOTRECOVERABLE);
	CHECK_EQUAL(pthread_mutex_destroy(&mutex), 0);
}

int main(void)
{
	static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
	sem_init(&is_held, 0, 0);
	sem_init(&may_go, 0, 0);
	for (int round = 0; round < ROUNDS; round++)
		for (int kind = 0; kind < 3; kind++)
			robust(kinds[kind], round % 2);
	printf("robust\n");
	for (int round = 0; round < ROUNDS; round++)
		told_again();
	printf("told again\n");
	return 0;
}
