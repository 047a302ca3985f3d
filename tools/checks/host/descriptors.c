/*
 * Tasks wait for descriptors: for many, with deadlines and cancellations, in both directions, and for descriptors
 * that cannot be waited for.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/blocking.h>
#include <heddle/system.h>

#include "check.h"

#define PAIRS    200
#define MESSAGES 50
#define SECOND   UINT64_C(1000000000)

struct pair {
	int ends[2];
};

static struct pair pairs[PAIRS];

static struct pair pair_make(void)
{
	struct pair pair;
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair.ends) == 0);
	return pair;
}

static void pair_close(struct pair pair)
{
	close(pair.ends[0]);
	close(pair.ends[1]);
}

static void write_all(int descriptor, const void *bytes, size_t count)
{
	for (const char *next = bytes; count > 0;) {
		ssize_t done = write(descriptor, next, count);
		if (done < 0) {
			CHECK(errno == EAGAIN);
			CHECK(heddle_await_writable(descriptor, HEDDLE_NO_DEADLINE) == HEDDLE_OK);
			continue;
		}
		next += done;
		count -= (size_t)done;
	}
}

/* Returns how many bytes came until the end. */
static size_t read_some(int descriptor, void *bytes, size_t count)
{
	size_t have = 0;
	while (have < count) {
		ssize_t done = read(descriptor, (char *)bytes + have, count - have);
		if (done == 0)
			break;
		if (done > 0)
			have += (size_t)done;
		else if (errno == EAGAIN)
			CHECK(heddle_await_readable(descriptor, HEDDLE_NO_DEADLINE) == HEDDLE_OK);
		else
			CHECK(false);
	}
	return have;
}

static struct task *make(task_function function, void *argument)
{
	struct task *task;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.stack_size = 65536;
	CHECK(task_create(&task, function, argument, &options) == HEDDLE_OK);
	return task;
}

static void join(struct task *task, intptr_t expected)
{
	intptr_t result = -1;
	CHECK(task_join(task, &result) == HEDDLE_OK && result == expected);
}

static void in_machine(const char *words, task_function function)
{
	CHECK(heddle_start(words) == HEDDLE_OK);
	intptr_t result = -1;
	CHECK(heddle_run(function, NULL, &result) == HEDDLE_OK && result == 0);
	CHECK(heddle_stop() == 0);
}

static void on_one_and_three(task_function function)
{
	in_machine("processors=1", function);
	in_machine("processors=3", function);
}

/* ------------------------------------------------------------------------------------------------ echo -- */

static intptr_t answer(void *argument)
{
	const struct pair *pair = argument;
	uint64_t message;
	while (read_some(pair->ends[1], &message, sizeof(message)) == sizeof(message))
		write_all(pair->ends[1], &message, sizeof(message));
	return 0;
}

static intptr_t ask(void *argument)
{
	const struct pair *pair = argument;
	for (uint64_t i = 0; i < MESSAGES; i++) {
		uint64_t back = 0;
		write_all(pair->ends[0], &i, sizeof(i));
		CHECK(read_some(pair->ends[0], &back, sizeof(back)) == sizeof(back) && back == i);
	}
	shutdown(pair->ends[0], SHUT_WR);
	return 0;
}

static intptr_t echo_all(void *unused)
{
	static struct task *tasks[2 * PAIRS];
	(void)unused;
	for (int i = 0; i < PAIRS; i++) {
		pairs[i] = pair_make();
		tasks[2 * i] = make(answer, &pairs[i]);
		tasks[2 * i + 1] = make(ask, &pairs[i]);
	}
	for (int i = 0; i < 2 * PAIRS; i++)
		join(tasks[i], 0);
	for (int i = 0; i < PAIRS; i++)
		pair_close(pairs[i]);
	return 0;
}

static void echo(void)
{
	on_one_and_three(echo_all);
}

/* ------------------------------------------------------------------------------------- early ends of waits -- */

static intptr_t await_readable(void *pair)
{
	return heddle_await_readable(((struct pair *)pair)->ends[0], HEDDLE_NO_DEADLINE);
}

static intptr_t end_early(void *unused)
{
	struct pair pair = pair_make();
	(void)unused;
	CHECK(heddle_await_readable(pair.ends[0], 0) == HEDDLE_TIMED_OUT);
	CHECK(heddle_await_readable(pair.ends[0], heddle_clock() + SECOND / 100) == HEDDLE_TIMED_OUT);
	struct task *waiter = make(await_readable, &pair);
	task_sleep_until(heddle_clock() + SECOND / 100);
	CHECK(heddle_await_readable(pair.ends[0], HEDDLE_NO_DEADLINE) == HEDDLE_IN_USE);
	CHECK(task_cancel(waiter) == HEDDLE_OK);
	join(waiter, HEDDLE_CANCELLED);
	/* No task is in the way, and nothing is lost. */
	waiter = make(await_readable, &pair);
	CHECK(write(pair.ends[1], "x", 1) == 1);
	join(waiter, HEDDLE_OK);
	CHECK(heddle_await_readable(pair.ends[0], HEDDLE_NO_DEADLINE) == HEDDLE_OK);
	pair_close(pair);
	return 0;
}

static void early(void)
{
	on_one_and_three(end_early);
}

/* A deadline in the past: what is there is told, by a task and by a thread. */
static void look_late(bool before_the_start)
{
	struct pair pair = pair_make();
	uint64_t past = before_the_start ? 0 : 1;
	CHECK(heddle_await_readable(pair.ends[0], past) == HEDDLE_TIMED_OUT);
	CHECK(heddle_await_writable(pair.ends[0], past) == HEDDLE_OK);
	CHECK(write(pair.ends[1], "x", 1) == 1);
	CHECK(heddle_await_readable(pair.ends[0], past) == HEDDLE_OK);
	static char bytes[4096];
	while (write(pair.ends[0], bytes, sizeof(bytes)) > 0)
		continue;
	CHECK(heddle_await_writable(pair.ends[0], past) == HEDDLE_TIMED_OUT);
	pair_close(pair);
	CHECK(heddle_await_readable(pair.ends[0], past) == HEDDLE_BAD_ARGUMENT);
}

static intptr_t look_late_as_task(void *unused)
{
	(void)unused;
	look_late(false);
	look_late(true);
	return 0;
}

static void late(void)
{
	CHECK(heddle_start("processors=1") == HEDDLE_OK);
	look_late(false);
	look_late(true);
	CHECK(heddle_stop() == 0);
	on_one_and_three(look_late_as_task);
}

static atomic_uint timed_out, came;

/* Each byte comes at about the time when its wait ends. */
static intptr_t await_shortly(void *argument)
{
	const struct pair *pair = argument;
	char byte;
	for (unsigned have = 0; have < MESSAGES;) {
		enum heddle_error error = heddle_await_readable(pair->ends[0], heddle_clock() + SECOND / 10000);
		CHECK(error == HEDDLE_OK || error == HEDDLE_TIMED_OUT);
		atomic_fetch_add(error == HEDDLE_OK ? &came : &timed_out, 1);
		have += read(pair->ends[0], &byte, 1) == 1;
	}
	return 0;
}

static intptr_t send_slowly(void *argument)
{
	const struct pair *pair = argument;
	for (unsigned i = 0; i < MESSAGES; i++) {
		task_sleep_until(heddle_clock() + SECOND / 10000);
		CHECK(write(pair->ends[1], "x", 1) == 1);
	}
	return 0;
}

static intptr_t race_all(void *unused)
{
	struct task *tasks[2 * PAIRS];
	(void)unused;
	for (int i = 0; i < PAIRS; i++) {
		pairs[i] = pair_make();
		tasks[2 * i] = make(await_shortly, &pairs[i]);
		tasks[2 * i + 1] = make(send_slowly, &pairs[i]);
	}
	for (int i = 0; i < 2 * PAIRS; i++)
		join(tasks[i], 0);
	for (int i = 0; i < PAIRS; i++)
		pair_close(pairs[i]);
	return 0;
}

static void race(void)
{
	on_one_and_three(race_all);
	CHECK(timed_out > 0 && came > 0);
}

/* ------------------------------------------------------------------------------------- both directions -- */

static intptr_t await_end(void *pair)
{
	char byte;
	CHECK(read_some(((struct pair *)pair)->ends[0], &byte, 1) == 1);
	return byte;
}

/* The same descriptor is full and empty: one task waits to read and one to write. */
static intptr_t wait_both(void *unused)
{
	static char bytes[4096];
	struct pair pair = pair_make();
	(void)unused;
	while (write(pair.ends[0], bytes, sizeof(bytes)) > 0)
		continue;
	for (int i = 0; i < 100; i++) {
		struct task *reader = make(await_end, &pair);
		task_yield();
		CHECK(heddle_await_writable(pair.ends[0], heddle_clock() + SECOND / 1000) == HEDDLE_TIMED_OUT);
		CHECK(write(pair.ends[1], "y", 1) == 1);
		join(reader, 'y');
	}
	struct task *reader = make(await_end, &pair);
	while (read(pair.ends[1], bytes, sizeof(bytes)) > 0)
		continue;
	CHECK(heddle_await_writable(pair.ends[0], HEDDLE_NO_DEADLINE) == HEDDLE_OK);
	CHECK(write(pair.ends[1], "z", 1) == 1);
	join(reader, 'z');
	pair_close(pair);
	return 0;
}

static void both(void)
{
	on_one_and_three(wait_both);
}

/* ------------------------------------------------------------------------------------------------ refused -- */

static intptr_t refuse(void *unused)
{
	struct pair pair = pair_make();
	int file = open("/proc/self/exe", O_RDONLY);
	(void)unused;
	CHECK(heddle_await_readable(-1, HEDDLE_NO_DEADLINE) == HEDDLE_BAD_ARGUMENT);
	CHECK(heddle_await_readable(1 << 30, HEDDLE_NO_DEADLINE) == HEDDLE_BAD_ARGUMENT);
	CHECK(heddle_await_writable(9999, HEDDLE_NO_DEADLINE) == HEDDLE_BAD_ARGUMENT);
	CHECK(file >= 0 && heddle_await_readable(file, HEDDLE_NO_DEADLINE) == HEDDLE_OK);
	CHECK(heddle_await_writable(pair.ends[0], HEDDLE_NO_DEADLINE) == HEDDLE_OK);
	/* The number of a closed descriptor is reused by one that can be waited for. */
	CHECK(heddle_await_readable(pair.ends[0], heddle_clock() + SECOND / 1000) == HEDDLE_TIMED_OUT);
	pair_close(pair);
	close(file);
	CHECK(heddle_await_readable(pair.ends[0], HEDDLE_NO_DEADLINE) == HEDDLE_BAD_ARGUMENT);
	pair = pair_make();
	struct task *waiter = make(await_readable, &pair);
	task_yield();
	close(pair.ends[1]);
	join(waiter, HEDDLE_OK);
	close(pair.ends[0]);
	return 0;
}

static intptr_t refuse_for_want(void *pair)
{
	return heddle_await_readable(((struct pair *)pair)->ends[0], HEDDLE_NO_DEADLINE);
}

static void refused(void)
{
	struct pair pair = pair_make();
	struct rlimit limit;
	intptr_t result;
	on_one_and_three(refuse);
	CHECK(heddle_start("processors=1") == HEDDLE_OK);
	CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, limit.rlim_max}) == 0);
	CHECK(heddle_run(refuse_for_want, &pair, &result) == HEDDLE_OK && result == HEDDLE_NO_MEMORY);
	CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	CHECK(write(pair.ends[1], "x", 1) == 1);
	CHECK(heddle_run(refuse_for_want, &pair, &result) == HEDDLE_OK && result == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
	pair_close(pair);
}

/* ------------------------------------------------------------------------------- threads, the end, children -- */

static void threads(void)
{
	struct pair pair = pair_make();
	CHECK(heddle_await_readable(pair.ends[0], heddle_clock() + SECOND / 1000) == HEDDLE_TIMED_OUT);
	CHECK(heddle_await_writable(pair.ends[0], HEDDLE_NO_DEADLINE) == HEDDLE_OK);
	CHECK(heddle_await_readable(9999, HEDDLE_NO_DEADLINE) == HEDDLE_BAD_ARGUMENT);
	pair_close(pair);
}

static intptr_t leave_waiter(void *pair)
{
	task_detach(make(await_readable, pair));
	task_sleep_until(heddle_clock() + SECOND / 100);
	return 0;
}

static void stop(void)
{
	struct pair pair = pair_make();
	for (int i = 0; i < 3; i++) {
		CHECK(heddle_start("processors=2") == HEDDLE_OK);
		CHECK(heddle_run(leave_waiter, &pair, NULL) == HEDDLE_OK);
		CHECK(heddle_stop() == 1);
	}
	in_machine("processors=2", echo_all);
}

static void child(void)
{
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_run(end_early, NULL, NULL) == HEDDLE_OK);
	pid_t made = fork();
	if (made == 0) {
		in_machine("processors=2", echo_all);
		_Exit(EXIT_SUCCESS);
	}
	int status = -1;
	CHECK(made > 0 && waitpid(made, &status, 0) == made && status == 0);
	CHECK(heddle_run(echo_all, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
}

int main(int count, char **arguments)
{
	static const struct check_case cases[] = {
	    {"echo", echo},       {"early", early},     {"late", late}, {"race", race},   {"both", both},
	    {"refused", refused}, {"threads", threads}, {"stop", stop}, {"child", child}, {NULL, NULL}};
	return check_main(cases, count, arguments);
}
