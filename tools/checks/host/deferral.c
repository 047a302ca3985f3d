/*
 * A deferred hand-over does not wait for foreign code, which has no checks: on growing stacks the mutex is handed
 * over before the call, on others at once. What is taken back before the call is held in it.
 */
#include <unistd.h>

#include <heddle/mutex.h>

#include "check.h"

#define TRIES 200

static struct mutex mutex;
static volatile bool waits, ran;
static void (*act)(void); /* of the task that gives it up */
static unsigned held;     /* tries in which the task took it back, and held it while foreign code ran */
static unsigned settled;  /* tries in which the other task had the mutex while foreign code ran */

static intptr_t wait_and_use(void *unused)
{
	(void)unused;
	waits = true;
	CHECK(mutex_lock(&mutex) == HEDDLE_OK);
	ran = true;
	CHECK(mutex_unlock(&mutex) == HEDDLE_OK);
	return 0;
}

/* Arguments of all kinds, in registers and on the stack, must arrive unchanged. */
static void call_with_much(void)
{
	char text[200];
	snprintf(text, sizeof(text), "%d %ld %s %u %g %g %g %g %g %g %g %g %g %d %d", 1, 2L, "three", 4u, 0.5,
	         1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9, 10);
	CHECK(strcmp(text, "1 2 three 4 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9 10") == 0);
}

static void give_up_and_call(void)
{
	CHECK(mutex_unlock(&mutex) == HEDDLE_OK);
	call_with_much();
}

static void give_up_and_sleep(void)
{
	bool before = ran;
	uint64_t deferred = mutex.deferral.deferred;
	CHECK(mutex_unlock(&mutex) == HEDDLE_OK);
	usleep(20000);
	bool after = ran;
	settled += !before && after && mutex.deferral.deferred > deferred;
}

/* The mutex is lent to the task (sync/mutex_lent.h): then it holds it while foreign code runs. */
static void give_up_and_hold(void)
{
	uint64_t retaken = mutex.deferral.retaken;
	CHECK(mutex_unlock(&mutex) == HEDDLE_OK);
	CHECK(mutex_lock(&mutex) == HEDDLE_OK);
	bool before = ran;
	call_with_much();
	usleep(1000);
	CHECK(ran == before);
	held += !before && mutex.deferral.retaken > retaken;
	CHECK(mutex_unlock(&mutex) == HEDDLE_OK);
}

static intptr_t give(void *unused)
{
	(void)unused;
	struct task *other;
	waits = ran = false;
	mutex = (struct mutex)HEDDLE_MUTEX_INITIALIZER;
	CHECK(mutex_lock(&mutex) == HEDDLE_OK);
	CHECK(task_create(&other, wait_and_use, NULL, NULL) == HEDDLE_OK);
	while (!waits)
		task_yield();
	usleep(1000); /* until it has left its stack */
	act();
	CHECK(task_join(other, NULL) == HEDDLE_OK);
	CHECK(ran && mutex_destroy(&mutex) == HEDDLE_OK);
	return 0;
}

/* As a separate task, on a growing stack or not. */
static void give_on(bool grows, void (*how)(void))
{
	act = how;
	struct task *task;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.stack = grows ? HEDDLE_TASK_STACK_GROWS : HEDDLE_TASK_STACK_WHOLE;
	options.stack_size = grows ? 0 : 262144;
	CHECK(task_create(&task, give, NULL, &options) == HEDDLE_OK);
	CHECK(task_join(task, NULL) == HEDDLE_OK);
}

static intptr_t give_all(void *unused)
{
	uint64_t deferred = 0;
	(void)unused;
	for (int i = 0; i < TRIES && settled == 0; i++)
		give_on(true, give_up_and_sleep);
	CHECK(settled > 0);
	for (int i = 0; i < TRIES; i++) {
		give_on(true, give_up_and_call);
		deferred += mutex.deferral.deferred;
	}
	CHECK(deferred > 0);
	for (int i = 0; i < TRIES && held == 0; i++)
		give_on(true, give_up_and_hold);
	CHECK(held > 0);
	for (int i = 0; i < TRIES; i++) {
		give_on(false, give_up_and_call);
		CHECK(mutex.deferral.deferred == 0);
	}
	return 0;
}

int main(void)
{
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_run(give_all, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
	puts("done");
	return 0;
}
