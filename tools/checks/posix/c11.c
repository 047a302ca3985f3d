/* The threads of C11. */
#include <threads.h>
#include <time.h>

#include "check.h"

#define THREADS 8
#define ROUNDS  2000

static mtx_t mutex, recursive, timed;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int count, calls, destroyed, turn, detached;

static void call(void)
{
	calls++;
}

static void destroy(void *value)
{
	mtx_lock(&mutex);
	destroyed += *(int *)value;
	mtx_unlock(&mutex);
}

static int work(void *argument)
{
	static int values[THREADS];
	int number = *(int *)argument;
	values[number] = number;
	CHECK_EQUAL(tss_set(key, &values[number]), thrd_success);
	call_once(&once, call);
	for (int round = 0; round < ROUNDS; round++) {
		CHECK_EQUAL(mtx_lock(&mutex), thrd_success);
		count++;
		CHECK_EQUAL(mtx_unlock(&mutex), thrd_success);
	}
	CHECK_EQUAL(*(int *)tss_get(key), number);
	return number;
}

/* The threads take turns in a ring. */
static int take_turns(void *argument)
{
	int number = *(int *)argument;
	for (int round = 0; round < 100; round++) {
		mtx_lock(&mutex);
		while (turn % THREADS != number)
			CHECK_EQUAL(cnd_wait(&changed, &mutex), thrd_success);
		turn++;
		cnd_broadcast(&changed);
		mtx_unlock(&mutex);
	}
	thrd_exit(-number);
}

static int run(thrd_start_t function)
{
	thrd_t threads[THREADS];
	int numbers[THREADS], sum = 0, result;
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		CHECK_EQUAL(thrd_create(&threads[i], function, &numbers[i]), thrd_success);
	}
	for (int i = 0; i < THREADS; i++) {
		CHECK_EQUAL(thrd_join(threads[i], &result), thrd_success);
		sum += result;
	}
	return sum;
}

static struct timespec in_milliseconds(long milliseconds)
{
	struct timespec time;
	timespec_get(&time, TIME_UTC);
	time.tv_nsec += milliseconds * 1000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static int hold(void *argument)
{
	(void)argument;
	struct timespec soon = in_milliseconds(20);
	CHECK_EQUAL(mtx_trylock(&timed), thrd_busy);
	CHECK_EQUAL(mtx_timedlock(&timed, &soon), thrd_timedout);
	return 0;
}

/* Signals with the mutex held, so that the one that waits may destroy the condition. */
static int say_so(void *argument)
{
	(void)argument;
	mtx_lock(&mutex);
	detached = 1;
	cnd_signal(&changed);
	mtx_unlock(&mutex);
	return 0;
}

static void detach(void)
{
	thrd_t thread;
	CHECK_EQUAL(thrd_create(&thread, say_so, NULL), thrd_success);
	CHECK_EQUAL(thrd_detach(thread), thrd_success);
	mtx_lock(&mutex);
	while (!detached)
		CHECK_EQUAL(cnd_wait(&changed, &mutex), thrd_success);
	mtx_unlock(&mutex);
}

int main(void)
{
	thrd_t thread;
	CHECK_EQUAL(mtx_init(&mutex, mtx_plain), thrd_success);
	CHECK_EQUAL(mtx_init(&recursive, mtx_plain | mtx_recursive), thrd_success);
	CHECK_EQUAL(mtx_init(&timed, mtx_timed), thrd_success);
	CHECK_EQUAL(cnd_init(&changed), thrd_success);
	CHECK_EQUAL(tss_create(&key, destroy), thrd_success);
	int sum = run(work);
	printf("sum %d, %d\n", sum, count);
	printf("called %d, destroyed %d\n", calls, destroyed);
	sum = run(take_turns);
	printf("sum %d, turn %d\n", sum, turn);

	for (int i = 0; i < 3; i++)
		CHECK_EQUAL(mtx_lock(&recursive), thrd_success);
	CHECK_EQUAL(mtx_trylock(&recursive), thrd_success);
	for (int i = 0; i < 4; i++)
		CHECK_EQUAL(mtx_unlock(&recursive), thrd_success);

	CHECK_EQUAL(mtx_lock(&timed), thrd_success);
	CHECK_EQUAL(thrd_create(&thread, hold, NULL), thrd_success);
	CHECK_EQUAL(thrd_join(thread, NULL), thrd_success);
	struct timespec soon = in_milliseconds(20);
	CHECK_EQUAL(cnd_timedwait(&changed, &timed, &soon), thrd_timedout);
	CHECK_EQUAL(mtx_unlock(&timed), thrd_success);

	CHECK(thrd_equal(thrd_current(), thrd_current()));
	CHECK_EQUAL(thrd_sleep(&(struct timespec){0, 1000000}, NULL), 0);
	thrd_yield();
	detach();
	tss_delete(key);
	cnd_destroy(&changed);
	printf("done\n");
	return 0;
}
