/*
 * Processes that tasks and helpers make: they block the signals that the program blocks. And the signals that the
 * host's kernel sends to the thread whose call causes them.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/blocking.h>
#include <heddle/task.h>

#include "check.h"

/* ---------------------------------------------------------------------------------------------- masks -- */

#define LOOK "exec grep -qE '^SigBlk:.*000000000200$' /proc/self/status" /* SIGUSR1 alone */

static char *const words[] = {"sh", "-c", LOOK, NULL};

static void check_end(pid_t child)
{
	int status;
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void check_spawned(void)
{
	posix_spawnattr_t attributes;
	pid_t child;
	CHECK(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0);
	check_end(child);
	posix_spawnattr_init(&attributes);
	CHECK(posix_spawnp(&child, "sh", NULL, &attributes, words, environ) == 0);
	check_end(child);
	CHECK(system(LOOK) == 0);
	FILE *stream = popen(LOOK, "r");
	CHECK(stream && pclose(stream) == 0);
}

static void check_executed(bool shares_memory)
{
	pid_t child = shares_memory ? vfork() : fork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", LOOK, (char *)NULL);
		_exit(99);
	}
	check_end(child);
	child = shares_memory ? vfork() : fork();
	if (child == 0) {
		execvp("sh", words);
		_exit(99);
	}
	check_end(child);
}

static intptr_t check_children(void *unused)
{
	(void)unused;
	check_spawned();
	check_executed(false);
	check_executed(true);
	return 0;
}

static intptr_t from_helper(void *unused)
{
	return heddle_blocking(check_children, unused, NULL);
}

static void run_masks(void)
{
	sigset_t own;
	sigemptyset(&own);
	sigaddset(&own, SIGUSR1);
	pthread_sigmask(SIG_SETMASK, &own, NULL);
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_run(check_children, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_run(from_helper, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
}

/* What a task blocks, its children block as well. */
static intptr_t block_and_check(void *unused)
{
	sigset_t own;
	sigemptyset(&own);
	sigaddset(&own, SIGUSR1);
	CHECK(pthread_sigmask(SIG_BLOCK, &own, NULL) == 0);
	check_children(unused);
	return from_helper(unused);
}

static void run_own(void)
{
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_run(block_and_check, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
}

/* -------------------------------------------------------------------------------- signals of a call -- */

static volatile sig_atomic_t count;

static void on_signal(int number)
{
	(void)number;
	count++;
}

static intptr_t write_to_nobody(void *unused)
{
	int ends[2];
	(void)unused;
	CHECK(pipe(ends) == 0);
	close(ends[0]);
	CHECK(write(ends[1], "x", 1) < 0 && errno == EPIPE);
	close(ends[1]);
	return 0;
}

static intptr_t write_by_helper(void *unused)
{
	return heddle_blocking(write_to_nobody, unused, NULL);
}

static void check_ends(task_function function, int number)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		CHECK(heddle_start("processors=2") == HEDDLE_OK);
		heddle_run(function, NULL, NULL);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == number);
}

static intptr_t write_too_much(void *unused)
{
	static const struct rlimit limit = {0, 0};
	char name[] = "/tmp/heddle-XXXXXX";
	int file = mkstemp(name);
	unlink(name);
	setrlimit(RLIMIT_FSIZE, &limit);
	(void)unused;
	CHECK(write(file, "x", 1) < 0 && errno == EFBIG);
	return 0;
}

/* Without a handler they end the process, as anywhere. */
static void run_end(void)
{
	static const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	check_ends(write_to_nobody, SIGPIPE);
	check_ends(write_by_helper, SIGPIPE);
	check_ends(write_too_much, SIGXFSZ);
}

static void run_handled(task_function function, int expected)
{
	count = 0;
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_run(function, NULL, NULL) == HEDDLE_OK);
	CHECK(count == expected);
	CHECK(heddle_stop() == 0);
}

/* A handler that a task sets, too. */
static intptr_t handle_and_write(void *unused)
{
	signal(SIGPIPE, on_signal);
	return write_to_nobody(unused);
}

/* It stays pending for a task that blocks it, while another task's is handled. */
static intptr_t block_and_write(void *by)
{
	struct timespec at_once = {0, 0};
	sigset_t own, pending;
	struct task *other;
	sigemptyset(&own);
	sigaddset(&own, SIGPIPE);
	CHECK(pthread_sigmask(SIG_BLOCK, &own, NULL) == 0);
	((task_function)by)(NULL);
	CHECK(count == 0);
	CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1);
	CHECK(sigtimedwait(&own, NULL, &at_once) == SIGPIPE);
	CHECK(task_create(&other, write_to_nobody, NULL, NULL) == HEDDLE_OK);
	CHECK(task_join(other, NULL) == HEDDLE_OK);
	CHECK(count == 1);
	((task_function)by)(NULL);
	CHECK(count == 1);
	CHECK(pthread_sigmask(SIG_UNBLOCK, &own, NULL) == 0);
	CHECK(count == 2);
	return 0;
}

static intptr_t block_here(void *unused)
{
	(void)unused;
	return block_and_write((void *)write_to_nobody);
}

static intptr_t block_helper(void *unused)
{
	(void)unused;
	return block_and_write((void *)write_by_helper);
}

static void run_pipe(void)
{
	signal(SIGPIPE, on_signal);
	run_handled(write_to_nobody, 1);
	run_handled(write_by_helper, 1);
	run_handled(block_here, 2);
	run_handled(block_helper, 2);
	signal(SIGPIPE, SIG_IGN);
	run_handled(write_to_nobody, 0);
	run_handled(handle_and_write, 1);
}

int main(int count_of_arguments, char **arguments)
{
	static const struct check_case cases[] = {
	    {"masks", run_masks}, {"own", run_own}, {"end", run_end}, {"pipe", run_pipe}, {0}};
	return check_main(cases, count_of_arguments, arguments);
}
