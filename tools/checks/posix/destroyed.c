/*
 * What is destroyed, and unmapped, as soon as POSIX allows that: when all waits were ended, whether the threads have
 * returned or not.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <time.h>

#include "check.h"

#define WAITERS    6
#define CONDITIONS 4000
#define BARRIERS   1500
#define MEET       3
#define POSTS      2000

static void *map(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(memory != MAP_FAILED);
	return memory;
}

static pthread_t start(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	CHECK_EQUAL(pthread_create(&thread, NULL, function, argument), 0);
	return thread;
}

/* ------------------------------------------------------------------------------------------- conditions -- */

static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *current;
static atomic_bool over;

/* Touches nothing of the condition when its wait has ended, by a broadcast or because its time is over. */
static void *await(void *number)
{
	unsigned seed = (unsigned)(long)number;
	while (!over) {
		struct timespec time;
		CHECK_EQUAL(pthread_mutex_lock(&list), 0);
		clock_gettime(CLOCK_REALTIME, &time);
		time.tv_nsec += rand_r(&seed) % 40000;
		time.tv_sec += time.tv_nsec / 1000000000;
		time.tv_nsec %= 1000000000;
		pthread_cond_timedwait(current, &list, &time);
		CHECK_EQUAL(pthread_mutex_unlock(&list), 0);
	}
	return NULL;
}

/* The example in POSIX's description of pthread_cond_destroy(); or the same with the mutex held. */
static void replace(pthread_cond_t *fresh, int inside)
{
	CHECK_EQUAL(pthread_mutex_lock(&list), 0);
	pthread_cond_t *old = current;
	current = fresh;
	CHECK_EQUAL(pthread_cond_broadcast(old), 0);
	if (!inside)
		CHECK_EQUAL(pthread_mutex_unlock(&list), 0);
	CHECK_EQUAL(pthread_cond_destroy(old), 0);
	CHECK_EQUAL(munmap(old, 4096), 0);
	if (inside)
		CHECK_EQUAL(pthread_mutex_unlock(&list), 0);
}

static void conditions(void)
{
	pthread_t threads[WAITERS];
	current = map();
	CHECK_EQUAL(pthread_cond_init(current, NULL), 0);
	for (long i = 0; i < WAITERS; i++)
		threads[i] = start(await, (void *)(i + 1));
	for (int i = 0; i < CONDITIONS; i++) {
		pthread_cond_t *fresh = map();
		CHECK_EQUAL(pthread_cond_init(fresh, NULL), 0);
		replace(fresh, i % 2);
		if (i % 4 == 0)
			sched_yield();
	}
	over = true;
	for (int i = 0; i < WAITERS; i++)
		CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
	CHECK_EQUAL(pthread_cond_destroy(current), 0);
	printf("conditions\n");
}

/* --------------------------------------------------------------------------------------------- barriers -- */

static atomic_int serials;

static void *meet(void *barrier)
{
	int old;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
		serials++;
		CHECK_EQUAL(pthread_barrier_destroy(barrier), 0);
		CHECK_EQUAL(munmap(barrier, 4096), 0);
	}
	return NULL;
}

/* A barrier is no cancellation point. */
static void barriers(void)
{
	for (int round = 0; round < BARRIERS; round++) {
		pthread_t threads[MEET];
		pthread_barrier_t *barrier = map();
		CHECK_EQUAL(pthread_barrier_init(barrier, NULL, MEET), 0);
		for (int i = 0; i < MEET; i++)
			threads[i] = start(meet, barrier);
		for (int i = 0; i < MEET; i++)
			CHECK_EQUAL(pthread_cancel(threads[i]), 0);
		for (int i = 0; i < MEET; i++)
			CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
	}
	CHECK_EQUAL(serials, BARRIERS);
	printf("barriers\n");
}

/* A wait that was cancelled goes on, and the thread ends at the next cancellation point. */
static void *meet_then_end(void *barrier)
{
	pthread_barrier_wait(barrier);
	pthread_testcancel();
	return NULL;
}

static void cancelled_at_a_barrier(void)
{
	pthread_barrier_t barrier;
	void *result;
	CHECK_EQUAL(pthread_barrier_init(&barrier, NULL, 2), 0);
	pthread_t thread = start(meet_then_end, &barrier);
	for (int i = 0; i < 100; i++)
		sched_yield();
	CHECK_EQUAL(pthread_cancel(thread), 0);
	pthread_barrier_wait(&barrier);
	CHECK_EQUAL(pthread_join(thread, &result), 0);
	CHECK(result == PTHREAD_CANCELED);
	CHECK_EQUAL(pthread_barrier_destroy(&barrier), 0);
	printf("cancelled\n");
}

/* --------------------------------------------------------------------------------- semaphores, mutexes -- */

static void *post(void *semaphore)
{
	CHECK_EQUAL(sem_post(semaphore), 0);
	return NULL;
}

static void semaphores(void)
{
	for (int i = 0; i < POSTS; i++) {
		sem_t *semaphore = map();
		CHECK_EQUAL(sem_init(semaphore, 0, 0), 0);
		pthread_t one = start(post, semaphore), other = start(post, semaphore);
		CHECK_EQUAL(sem_wait(semaphore), 0);
		CHECK_EQUAL(sem_wait(semaphore), 0);
		CHECK_EQUAL(sem_destroy(semaphore), 0);
		CHECK_EQUAL(munmap(semaphore, 4096), 0);
		CHECK_EQUAL(pthread_join(one, NULL), 0);
		CHECK_EQUAL(pthread_join(other, NULL), 0);
	}
	printf("semaphores\n");
}

struct counted {
	pthread_mutex_t mutex;
	pthread_rwlock_t lock;
	int users;
};

/* The last user destroys what all have used. */
static void *use(void *argument)
{
	struct counted *counted = argument;
	CHECK_EQUAL(pthread_rwlock_rdlock(&counted->lock), 0);
	CHECK_EQUAL(pthread_rwlock_unlock(&counted->lock), 0);
	CHECK_EQUAL(pthread_mutex_lock(&counted->mutex), 0);
	int left = --counted->users;
	CHECK_EQUAL(pthread_mutex_unlock(&counted->mutex), 0);
	if (left == 0) {
		CHECK_EQUAL(pthread_mutex_destroy(&counted->mutex), 0);
		CHECK_EQUAL(pthread_rwlock_destroy(&counted->lock), 0);
		CHECK_EQUAL(munmap(counted, 4096), 0);
	}
	return NULL;
}

static void counts(void)
{
	for (int i = 0; i < POSTS; i++) {
		struct counted *counted = map();
		pthread_t threads[MEET];
		CHECK_EQUAL(pthread_mutex_init(&counted->mutex, NULL), 0);
		CHECK_EQUAL(pthread_rwlock_init(&counted->lock, NULL), 0);
		counted->users = MEET;
		for (int thread = 0; thread < MEET; thread++)
			threads[thread] = start(use, counted);
		for (int thread = 0; thread < MEET; thread++)
			CHECK_EQUAL(pthread_join(threads[thread], NULL), 0);
	}
	printf("counts\n");
}

int main(void)
{
	conditions();
	barriers();
	cancelled_at_a_barrier();
	semaphores();
	counts();
	return 0;
}
