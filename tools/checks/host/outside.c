/*
 * Threads of the program create tasks, and communicate with them through channels, events and futures; calls that are
 * only for tasks are refused with a message.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/mutex.h>

#include "check.h"

#define THREADS  8
#define MESSAGES 500

static struct channel channel;
static uint64_t buffer[4];
static struct event event;
static struct future future = HEDDLE_FUTURE_INITIALIZER;
static atomic_ullong sum;
static atomic_uint ended;

/* ----------------------------------------------------------------------------------------- both sides -- */

static void *send_all(void *unused)
{
	for (uint64_t i = 1; i <= MESSAGES; i++)
		CHECK(heddle_channel_send(&channel, &i) == HEDDLE_OK);
	return unused;
}

static intptr_t receive_all(void *unused)
{
	uint64_t message;
	(void)unused;
	while (heddle_channel_receive(&channel, &message) == HEDDLE_OK)
		atomic_fetch_add(&sum, message);
	if (atomic_fetch_add(&ended, 1) + 1 == THREADS)
		CHECK(heddle_event_set(&event) == HEDDLE_OK);
	return 0;
}

static intptr_t close_it(void *unused)
{
	(void)unused;
	return channel_close(&channel);
}

static void speak(const char *words)
{
	pthread_t threads[THREADS];
	intptr_t result = -1;
	CHECK(channel_create(&channel, buffer, sizeof(buffer[0]), 4) == HEDDLE_OK);
	event = (struct event)HEDDLE_EVENT_INITIALIZER;
	sum = ended = 0;
	CHECK(heddle_start(words) == HEDDLE_OK);
	for (int i = 0; i < THREADS; i++) {
		CHECK(heddle_spawn(receive_all, NULL, NULL) == HEDDLE_OK);
		CHECK(pthread_create(&threads[i], NULL, send_all, NULL) == 0);
	}
	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	CHECK(heddle_run(close_it, NULL, &result) == HEDDLE_OK && result == HEDDLE_OK);
	CHECK(heddle_event_wait(&event) == HEDDLE_OK);
	CHECK(sum == (unsigned long long)THREADS * MESSAGES * (MESSAGES + 1) / 2);
	CHECK(heddle_stop() == 0);
}

static void channels(void)
{
	speak("processors=1");
	speak("processors=3");
}

/* -------------------------------------------------------------------------------------------- futures -- */

static intptr_t set_it(void *value)
{
	return heddle_future_set(&future, (intptr_t)value);
}

static intptr_t await_it(void *unused)
{
	(void)unused;
	return heddle_future_wait(&future) == HEDDLE_OK ? future_value(&future) : -1;
}

static void futures(void)
{
	intptr_t result = -1;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_spawn(set_it, (void *)6, &options) == HEDDLE_OK);
	CHECK(heddle_future_wait(&future) == HEDDLE_OK && future_value(&future) == 6);
	CHECK(heddle_future_set(&future, 7) == HEDDLE_ALREADY_SET);
	future = (struct future)HEDDLE_FUTURE_INITIALIZER;
	CHECK(heddle_future_set(&future, 8) == HEDDLE_OK);
	CHECK(heddle_run(await_it, NULL, &result) == HEDDLE_OK && result == 8);
	CHECK(heddle_stop() == 0);
}

/* -------------------------------------------------------------------------------------------- stopped -- */

/* What nobody does: each is waited for by a thread, and the machine is stopped. */
static void *await_event(void *unused)
{
	CHECK(heddle_event_wait(&event) == HEDDLE_STOPPED);
	return unused;
}

static void *await_future(void *unused)
{
	CHECK(heddle_future_wait(&future) == HEDDLE_STOPPED);
	return unused;
}

static void *await_message(void *unused)
{
	uint64_t message;
	CHECK(heddle_channel_receive(&channel, &message) == HEDDLE_STOPPED);
	return unused;
}

/* There is room for four. */
static struct channel full;

static void *await_room(void *unused)
{
	uint64_t message = 0;
	for (int i = 0; i < 4; i++)
		CHECK(heddle_channel_send(&full, &message) == HEDDLE_OK);
	CHECK(heddle_channel_send(&full, &message) == HEDDLE_STOPPED);
	return unused;
}

static intptr_t all_wait(void *unused)
{
	(void)unused;
	return event.waiting.first && future.waiting.first && channel.receivers.first && full.senders.first;
}

static void stop_with_waiting(const char *words)
{
	static void *(*const functions[])(void *) = {await_event, await_future, await_message, await_room};
	static uint64_t buffers[2][4];
	pthread_t threads[4];
	intptr_t all = 0;
	event = (struct event)HEDDLE_EVENT_INITIALIZER;
	future = (struct future)HEDDLE_FUTURE_INITIALIZER;
	CHECK(channel_create(&channel, buffers[0], sizeof(buffers[0][0]), 4) == HEDDLE_OK);
	CHECK(channel_create(&full, buffers[1], sizeof(buffers[1][0]), 4) == HEDDLE_OK);
	CHECK(heddle_start(words) == HEDDLE_OK);
	for (int i = 0; i < 4; i++)
		CHECK(pthread_create(&threads[i], NULL, functions[i], NULL) == 0);
	while (!all)
		CHECK(heddle_run(all_wait, NULL, &all) == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
	for (int i = 0; i < 4; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
}

static void stopped(void)
{
	stop_with_waiting("processors=1");
	stop_with_waiting("processors=3");
}

/* ------------------------------------------------------------------------------------------- mistakes -- */

static void mistakes(void)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	CHECK(heddle_spawn(check_return, NULL, NULL) == HEDDLE_STOPPED);
	CHECK(heddle_event_set(&event) == HEDDLE_STOPPED);
	CHECK(heddle_start("processors=1") == HEDDLE_OK);
	CHECK(heddle_spawn(NULL, NULL, NULL) == HEDDLE_BAD_ARGUMENT);
	options.priority = HEDDLE_PRIORITY_END;
	CHECK(heddle_spawn(check_return, NULL, &options) == HEDDLE_BAD_ARGUMENT);
	CHECK(heddle_stop() == 0);
	CHECK(heddle_future_wait(&future) == HEDDLE_STOPPED);
}

/* After the message, the process ends as by any fault. */
static void refused(bool before, bool during)
{
	static struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	pid_t made = fork();
	if (made == 0) {
		CHECK(before || heddle_start("processors=1") == HEDDLE_OK);
		CHECK(before || during || heddle_stop() == 0);
		CHECK(mutex_lock(&mutex) == HEDDLE_OK);
		_Exit(EXIT_SUCCESS);
	}
	int status = 0;
	CHECK(made > 0 && waitpid(made, &status, 0) == made);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void mutexes(void)
{
	refused(true, false);
	refused(false, true);
	refused(false, false);
}

/* A fault of the program's own, before the start and after the stop, is none of Heddle's business. */
static void faults(void)
{
	struct sigaction now;
	for (int round = 0; round < 2; round++) {
		pid_t made = fork();
		if (made == 0) {
			*(volatile int *)0 = round;
			_Exit(EXIT_SUCCESS);
		}
		int status = 0;
		CHECK(made > 0 && waitpid(made, &status, 0) == made);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
		CHECK(heddle_start("processors=1") == HEDDLE_OK);
		CHECK(heddle_stop() == 0);
	}
	CHECK(signal(SIGSEGV, SIG_IGN) != SIG_ERR);
	CHECK(heddle_start("processors=1") == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
	CHECK(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == SIG_IGN);
}

int main(int count, char **arguments)
{
	static const struct check_case cases[] = {{"channels", channels},
	                                          {"futures", futures},
	                                          {"mistakes", mistakes},
	                                          {"mutexes", mutexes},
	                                          {"faults", faults},
	                                          {"stopped", stopped},
	                                          {NULL, NULL}};
	return check_main(cases, count, arguments);
}
