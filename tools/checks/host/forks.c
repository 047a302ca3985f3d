/*
 * A program in which a machine runs makes children of itself. There is no machine in a child: the program may start
 * one.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define TURNS   20
#define WORKERS 20

static atomic_bool ends;
static struct sigaction at_rest[32]; /* the program's, before a machine was started */

static intptr_t add_up(void *argument)
{
	intptr_t sum = 0;
	for (intptr_t i = 0; i < (intptr_t)argument; i++) {
		sum += i;
		task_yield();
	}
	return sum;
}

static void check_yields(void)
{
	intptr_t sum = 0;
	CHECK(heddle_run(add_up, (void *)100, &sum) == HEDDLE_OK && sum == 4950);
}

/* How the child ends. */
static int wait_for(pid_t child)
{
	int status;
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	return status;
}

static bool is_our_handler(int number)
{
	struct sigaction now;
	sigaction(number, NULL, &now);
	return now.sa_handler != at_rest[number].sa_handler;
}

/* ---------------------------------------------------------------------------- a thread of the program -- */

/* Tasks that switch, sleep and log while the process is copied. */
static intptr_t work(void *unused)
{
	(void)unused;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.detached = true;
	while (!atomic_load(&ends)) {
		CHECK(task_create(NULL, add_up, (void *)10, &options) == HEDDLE_OK);
		task_yield();
	}
	return 0;
}

static void *work_thread(void *unused)
{
	CHECK(heddle_run(work, unused, NULL) == HEDDLE_OK);
	return NULL;
}

_Noreturn static void child_of_thread(void)
{
	CHECK(!is_our_handler(SIGSEGV) && !is_our_handler(SIGURG));
	CHECK(heddle_run(add_up, NULL, NULL) == HEDDLE_STOPPED);
	CHECK(heddle_stop() == -1);
	for (int turn = 0; turn < 2; turn++) {
		CHECK(heddle_start("processors=2") == HEDDLE_OK);
		check_yields();
		CHECK(heddle_stop() == 0);
	}
	_exit(0);
}

static void run_thread(void)
{
	pthread_t workers[WORKERS];
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	for (int i = 0; i < WORKERS; i++)
		CHECK(pthread_create(&workers[i], NULL, work_thread, NULL) == 0);
	for (int turn = 0; turn < TURNS; turn++) {
		pid_t child = fork();
		if (child == 0)
			child_of_thread();
		CHECK(wait_for(child) == 0);
		check_yields();
	}
	atomic_store(&ends, true);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	CHECK(heddle_stop() == 0);
}

/* --------------------------------------------------------------------------------------------- a task -- */

/* The child runs the task's code, whose checks would switch: none may, or other tasks would go on in the child. */
_Noreturn static void child_of_task(void)
{
	sigset_t blocked;
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	for (int number = 1; number < 32; number++)
		CHECK(sigismember(&blocked, number) == (number == SIGUSR2));
	CHECK(!is_our_handler(SIGSEGV) && !is_our_handler(SIGURG));
	CHECK(heddle_start(NULL) == HEDDLE_BAD_ARGUMENT);
	for (volatile int i = 0; i < 1000000; i++)
		continue;
	execlp("true", "true", (char *)NULL);
	_exit(1);
}

static intptr_t make_child(void *unused)
{
	(void)unused;
	pid_t child = fork();
	if (child == 0)
		child_of_task();
	return wait_for(child);
}

static void run_task(void)
{
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	for (int turn = 0; turn < TURNS; turn++) {
		intptr_t status = -1;
		CHECK(heddle_run(make_child, NULL, &status) == HEDDLE_OK && status == 0);
	}
	check_yields();
	CHECK(heddle_stop() == 0);
}

/* --------------------------------------------------------------------------------- what is not allowed -- */

static intptr_t call_back(void *unused)
{
	(void)unused;
	return heddle_run(add_up, NULL, NULL) == HEDDLE_BAD_ARGUMENT && heddle_stop() == -1 &&
	       heddle_start(NULL) == HEDDLE_BAD_ARGUMENT;
}

static void run_inside(void)
{
	intptr_t refused = 0;
	CHECK(heddle_start("processors=1") == HEDDLE_OK);
	CHECK(heddle_run(call_back, NULL, &refused) == HEDDLE_OK && refused);
	CHECK(heddle_stop() == 0);
}

int main(int count, char **arguments)
{
	static const struct check_case cases[] = {
	    {"thread", run_thread}, {"task", run_task}, {"inside", run_inside}, {0}};
	for (int number = 1; number < 32; number++)
		sigaction(number, NULL, &at_rest[number]);
	return check_main(cases, count, arguments);
}
