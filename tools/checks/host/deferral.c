/*
 * A deferred hand-over does not wait for foreign code, which has no checks: on growing stacks the mutex is handed
 * over before the call, on others at once.
 */
#include <unistd.h>

#include <heddle/mutex.h>

#include "check.h"

#define TRIES 200

static struct mutex mutex;
static volatile bool waits, ran;
static unsigned settled; /* tries in which the other task had the mutex while foreign code ran */

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

static void give_up(bool sleeps)
{
	bool before = ran;
	uint64_t deferred = mutex.deferral.deferred;
	CHECK(mutex_unlock(&mutex) == HEDDLE_OK);
	if (sleeps)
		usleep(20000);
	else
		call_with_much();
	bool after = ran;
	settled += sleeps && !before && after && mutex.deferral.deferred > deferred;
}

static intptr_t give(void *sleeps)
{
	struct task *other;
	waits = ran = false;
	mutex = (struct mutex)HEDDLE_MUTEX_INITIALIZER;
	CHECK(mutex_lock(&mutex) == HEDDLE_OK);
	CHECK(task_create(&other, wait_and_use, NULL, NULL) == HEDDLE_OK);
	while (!waits)
		task_yield();
	usleep(1000); /* until it has left its stack */
	give_up(sleeps != NULL);
	CHECK(task_join(other, NULL) == HEDDLE_OK);
	CHECK(ran && mutex_destroy(&mutex) == HEDDLE_OK);
	return 0;
}

/* As a separate task, on a growing stack or not. */
static void give_on(bool grows, bool sleeps)
{
	struct task *task;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.stack = grows ? HEDDLE_TASK_STACK_GROWS : HEDDLE_TASK_STACK_WHOLE;
	options.stack_size = grows ? 0 : 262144;
	CHECK(task_create(&task, give, sleeps ? &task : NULL, &options) == HEDDLE_OK);
	CHECK(task_join(task, NULL) == HEDDLE_OK);
}

static intptr_t give_all(void *unused)
{
	uint64_t deferred = 0;
	(void)unused;
	for (int i = 0; i < TRIES && settled == 0; i++)
		give_on(true, true);
	CHECK(settled > 0);
	for (int i = 0; i < TRIES; i++) {
		give_on(true, false);
		deferred += mutex.deferral.deferred;
	}
	CHECK(deferred > 0);
	for (int i = 0; i < TRIES; i++) {
		give_on(false, false);
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
