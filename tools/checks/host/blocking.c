/*
 * Blocking functions called by tasks: their processors go on, and as many run at once as documented.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/blocking.h>
#include <heddle/system.h>

#include "check.h"

#define AT_ONCE 64
#define CALLERS 500
#define CALLS   20

static pthread_barrier_t barrier;
static atomic_bool ends, has_ended;
static atomic_long turns;

static intptr_t run_all(task_function function, int count)
{
	static struct task *tasks[CALLERS];
	intptr_t sum = 0;
	for (int i = 0; i < count; i++)
		CHECK(task_create(&tasks[i], function, (void *)(intptr_t)i, NULL) == HEDDLE_OK);
	for (int i = 0; i < count; i++) {
		intptr_t result = 0;
		CHECK(task_join(tasks[i], &result) == HEDDLE_OK);
		sum += result;
	}
	return sum;
}

static void in_machine(const char *words, task_function function)
{
	CHECK(heddle_start(words) == HEDDLE_OK);
	intptr_t result = 0;
	CHECK(heddle_run(function, NULL, &result) == HEDDLE_OK && result == 0);
	CHECK(heddle_stop() == 0);
}

/* --------------------------------------------------------------------------------------- many at once -- */

static intptr_t meet(void *argument)
{
	pthread_barrier_wait(&barrier);
	return (intptr_t)argument;
}

static intptr_t call_meet(void *argument)
{
	intptr_t result = -1;
	CHECK(heddle_blocking(meet, argument, &result) == HEDDLE_OK && result == (intptr_t)argument);
	return 1;
}

/* Goes on while all others wait. */
static intptr_t go_on(void *unused)
{
	(void)unused;
	while (!atomic_load(&ends)) {
		atomic_fetch_add(&turns, 1);
		task_yield();
	}
	return 0;
}

/* Two tasks: each blocks until the other has made progress. */
static intptr_t meet_and_look(void *unused)
{
	(void)unused;
	long before = atomic_load(&turns);
	while (atomic_load(&turns) < before + 1000)
		usleep(1000);
	return 0;
}

static intptr_t call_all_at_once(void *unused)
{
	struct task *other;
	intptr_t result = -1;
	(void)unused;
	CHECK(run_all(call_meet, AT_ONCE) == AT_ONCE);
	CHECK(task_create(&other, go_on, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_blocking(meet_and_look, NULL, &result) == HEDDLE_OK && result == 0);
	atomic_store(&ends, true);
	return task_join(other, NULL);
}

static void at_once(void)
{
	pthread_barrier_init(&barrier, NULL, AT_ONCE);
	in_machine("processors=1", call_all_at_once);
	atomic_store(&ends, false);
	in_machine("processors=2", call_all_at_once);
}

/* ------------------------------------------------------------------------------- more than there is room -- */

static intptr_t twice(void *argument)
{
	usleep(50);
	return (intptr_t)argument * 2;
}

static intptr_t call_often(void *argument)
{
	for (intptr_t i = 0; i < CALLS; i++) {
		intptr_t result = -1;
		CHECK(heddle_blocking(twice, (void *)i, &result) == HEDDLE_OK && result == 2 * i);
	}
	return (intptr_t)argument;
}

static intptr_t call_many(void *unused)
{
	(void)unused;
	CHECK(run_all(call_often, CALLERS) == (intptr_t)CALLERS * (CALLERS - 1) / 2);
	return 0;
}

static void many(void)
{
	in_machine("processors=3", call_many);
	in_machine("processors=1", call_many);
}

/* ------------------------------------------------------------------------------------------- from where -- */

static intptr_t run_in_machine(void *unused)
{
	(void)unused;
	check_runs();
	return 3;
}

static intptr_t call_from_task(void *unused)
{
	intptr_t result = 0;
	(void)unused;
	CHECK(heddle_blocking(NULL, NULL, NULL) == HEDDLE_BAD_ARGUMENT);
	CHECK(heddle_blocking(run_in_machine, NULL, &result) == HEDDLE_OK && result == 3);
	CHECK(heddle_blocking(run_in_machine, NULL, NULL) == HEDDLE_OK);
	return 0;
}

static void from_threads(void)
{
	intptr_t result = 0;
	CHECK(heddle_blocking(twice, (void *)4, &result) == HEDDLE_OK && result == 8);
	in_machine("processors=2", call_from_task);
	CHECK(heddle_blocking(twice, (void *)4, &result) == HEDDLE_OK && result == 8);
}

/* What ends other waits does not end it, nor is the cancellation lost. */
static intptr_t call_cancelled(void *unused)
{
	intptr_t result = 0;
	(void)unused;
	CHECK(heddle_blocking(twice, (void *)7, &result) == HEDDLE_OK && result == 14);
	return task_sleep_until(heddle_clock() + UINT64_C(60000000000));
}

static intptr_t cancel_caller(void *unused)
{
	struct task *caller;
	intptr_t result = 0;
	(void)unused;
	CHECK(task_create(&caller, call_cancelled, NULL, NULL) == HEDDLE_OK);
	task_yield();
	CHECK(task_cancel(caller) == HEDDLE_OK);
	CHECK(task_join(caller, &result) == HEDDLE_OK && result == HEDDLE_CANCELLED);
	return 0;
}

static void cancelled(void)
{
	in_machine("processors=1", cancel_caller);
	in_machine("processors=2", cancel_caller);
}

/* --------------------------------------------------------------------------------------------- the end -- */

static intptr_t end_late(void *unused)
{
	usleep(100000);
	atomic_store(&has_ended, true);
	(void)unused;
	return 0;
}

static intptr_t call_late(void *unused)
{
	(void)unused;
	heddle_blocking(end_late, NULL, NULL);
	return 0;
}

static intptr_t leave_caller(void *unused)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.detached = true;
	(void)unused;
	CHECK(task_create(NULL, call_late, NULL, &options) == HEDDLE_OK);
	task_yield();
	return 0;
}

/* The memory for the function's result exists until then. */
static void stop(void)
{
	CHECK(heddle_start("processors=1") == HEDDLE_OK);
	CHECK(heddle_run(leave_caller, NULL, NULL) == HEDDLE_OK);
	int left = heddle_stop();
	CHECK(atomic_load(&has_ended) && left <= 1);
	in_machine("processors=2", call_many);
}

/* A child has none of these threads, and creates its own. */
static void child(void)
{
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_run(call_many, NULL, NULL) == HEDDLE_OK);
	pid_t made = fork();
	if (made == 0) {
		in_machine("processors=2", call_many);
		_Exit(EXIT_SUCCESS);
	}
	int status = -1;
	CHECK(made > 0 && waitpid(made, &status, 0) == made && status == 0);
	CHECK(heddle_run(call_many, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
}

int main(int count, char **arguments)
{
	static const struct check_case cases[] = {{"at-once", at_once},
	                                          {"many", many},
	                                          {"from", from_threads},
	                                          {"cancelled", cancelled},
	                                          {"stop", stop},
	                                          {"child", child},
	                                          {NULL, NULL}};
	return check_main(cases, count, arguments);
}
