/*
 * A task is in a function of a library, as a shared library or linked in, which waits in the host's kernel. The
 * processor keeps nothing from the others meanwhile: ready tasks, and waits whose time comes. And no call returns EINTR
 * in a program that has no handler.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <heddle/system.h>
#include <heddle/task.h>

#include "check.h"

#define PROCESSORS  "processors=2"
#define MILLISECOND 1000000

static int ends[2];

static void write_one(void)
{
	CHECK(write(ends[1], "x", 1) == 1);
}

static void start(void)
{
	CHECK(pipe(ends) == 0);
	CHECK(heddle_start(PROCESSORS) == HEDDLE_OK);
}

static void stop(void)
{
	CHECK(heddle_stop() == 0);
}

/* ---------------------------------------------------------------------------------------------- shares -- */

static intptr_t write_later(void *unused)
{
	(void)unused;
	CHECK(task_sleep_until(heddle_clock() + 20 * MILLISECOND) == HEDDLE_OK);
	write_one();
	return 0;
}

static intptr_t write_now(void *unused)
{
	(void)unused;
	write_one();
	return 0;
}

typedef void wait_function(void);

static void wait_in_read(void)
{
	char byte;
	CHECK(read(ends[0], &byte, 1) == 1);
}

static void wait_in_poll(void)
{
	struct pollfd poll_for = {.fd = ends[0], .events = POLLIN};
	CHECK(poll(&poll_for, 1, -1) == 1);
	wait_in_read();
}

static void wait_in_epoll(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	int set = epoll_create1(0);
	CHECK(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
	CHECK(epoll_wait(set, &event, 1, -1) == 1);
	close(set);
	wait_in_read();
}

/* The rest of the time is the kernel's to tell. */
static void wait_in_select(void)
{
	struct timeval time = {3600, 0};
	fd_set set;
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	CHECK(select(ends[0] + 1, &set, NULL, NULL, &time) == 1);
	wait_in_read();
}

static wait_function *const waits[] = {wait_in_read, wait_in_poll, wait_in_epoll, wait_in_select};

#define WAITS (sizeof(waits) / sizeof(*waits))

/* The task that writes is made here, so this processor has it, or its deadline. */
static intptr_t wait_for(task_function writer)
{
	for (size_t i = 0; i < WAITS; i++) {
		struct task *task;
		CHECK(task_create(&task, writer, NULL, NULL) == HEDDLE_OK);
		if (writer == write_later)
			task_yield();
		waits[i]();
		CHECK(task_join(task, NULL) == HEDDLE_OK);
	}
	return 0;
}

static intptr_t wait_for_ready(void *unused)
{
	(void)unused;
	return wait_for(write_now);
}

static intptr_t wait_for_timer(void *unused)
{
	(void)unused;
	return wait_for(write_later);
}

#define TIMES 20

static void run_times(task_function function)
{
	start();
	for (int i = 0; i < TIMES; i++)
		CHECK(heddle_run(function, NULL, NULL) == HEDDLE_OK);
	stop();
}

static void run_ready(void)
{
	run_times(wait_for_ready);
}

static void run_timers(void)
{
	run_times(wait_for_timer);
}

/* ------------------------------------------------------------------------------------------- no EINTR -- */

static atomic_bool over;

#define SHORT 20 /* milliseconds */

static void poll_for_a_while(void)
{
	CHECK(poll(NULL, 0, SHORT) == 0);
}

static void select_for_a_while(void)
{
	struct timeval time = {0, SHORT * 1000};
	CHECK(select(0, NULL, NULL, NULL, &time) == 0);
}

static void epoll_for_a_while(void)
{
	struct epoll_event event;
	int set = epoll_create1(0);
	CHECK(epoll_wait(set, &event, 1, SHORT) == 0);
	close(set);
}

static void read_for_a_while(void)
{
	struct timeval time = {0, SHORT * 1000};
	int sockets[2];
	char byte;
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
	errno = 0;
	CHECK(read(sockets[0], &byte, 1) < 0 && errno == EAGAIN);
	close(sockets[0]);
	close(sockets[1]);
}

static void sleep_for_a_while(void)
{
	int (*const volatile sleep_by_host)(const struct timespec *, struct timespec *) = nanosleep;
	struct timespec time = {0, SHORT * MILLISECOND}, rest;
	CHECK(sleep_by_host(&time, NULL) == 0);
	CHECK(sleep_by_host(&time, &rest) == 0);
}

static void await_for_a_while(void)
{
	struct timespec end;
	sem_t semaphore;
	sem_init(&semaphore, 0, 0);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += SHORT * MILLISECOND;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	errno = 0;
	CHECK(sem_timedwait(&semaphore, &end) < 0 && errno == ETIMEDOUT);
}

static wait_function *const limited[] = {poll_for_a_while, select_for_a_while, epoll_for_a_while,
                                         read_for_a_while, sleep_for_a_while,  await_for_a_while};

static intptr_t sleep_briefly(void *unused)
{
	(void)unused;
	return task_sleep_until(heddle_clock() + SHORT * MILLISECOND / 4);
}

/* Behind each wait there are tasks whose time comes meanwhile, so that another processor asks for them. */
static intptr_t wait_a_while(void *unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(limited) / sizeof(*limited); i++) {
		struct task *tasks[6];
		for (int task = 0; task < 6; task++)
			CHECK(task_create(&tasks[task], sleep_briefly, NULL, NULL) == HEDDLE_OK);
		task_yield();
		limited[i]();
		for (int task = 0; task < 6; task++)
			CHECK(task_join(tasks[task], NULL) == HEDDLE_OK);
	}
	return 0;
}

static void run_limited(void)
{
	run_times(wait_a_while);
}

/* ------------------------------------------------------------------------------- the program's handler -- */

static atomic_int handled;

static void on_urgent(int number)
{
	(void)number;
	atomic_fetch_add(&handled, 1);
}

static atomic_int waiting_thread;

/* The program's own signal ends the wait. */
static intptr_t wait_for_handler(void *unused)
{
	(void)unused;
	atomic_store(&waiting_thread, gettid());
	errno = 0;
	CHECK(poll(NULL, 0, -1) < 0 && errno == EINTR);
	CHECK(atomic_load(&handled) > 0);
	atomic_store(&over, true);
	return 0;
}

static void *send_signals(void *unused)
{
	while (!atomic_load(&over)) {
		int thread = atomic_load(&waiting_thread);
		usleep(1000);
		if (thread && !atomic_load(&over))
			tgkill(getpid(), thread, SIGURG);
	}
	return unused;
}

static void run_handler(void)
{
	struct sigaction action = {.sa_handler = on_urgent};
	pthread_t thread;
	sigaction(SIGURG, &action, NULL);
	start();
	CHECK(pthread_create(&thread, NULL, send_signals, NULL) == 0);
	CHECK(heddle_run(wait_for_handler, NULL, NULL) == HEDDLE_OK);
	pthread_join(thread, NULL);
	stop();
}

int main(int count, char **arguments)
{
	static const struct check_case cases[] = {{"ready", run_ready},
	                                          {"timers", run_timers},
	                                          {"limited", run_limited},
	                                          {"handler", run_handler},
	                                          {0}};
	return check_main(cases, count, arguments);
}
