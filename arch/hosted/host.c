/*
 * Heddle as a library (heddle/host.h). Like kernel/main.c it looks upwards, to start the rest.
 */
#include "heddle/host.h"

#include <stdio.h>
#include <string.h>

#include "arch/hosted/hosted.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/start.h"
#include "sched/injection.h"
#include "sched/scheduler.h"
#include "sync/start.h"

static enum { HOST_STOPPED, HOST_STARTING, HOST_FAILED, HOST_RUNNING, HOST_STOPPING } state;
static unsigned callers; /* inside heddle_run() */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t boot_processor;
static struct boot_information boot;

static void state_set(int value)
{
	pthread_mutex_lock(&mutex);
	state = value;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static void *boot_main(void *unused)
{
	hosted_processor_become(&processors[0]);
	if (!hosted_memory_find(&boot)) {
		hosted_processor_leave(&processors[0]);
		state_set(HOST_FAILED);
		return unused;
	}
	kernel_start(&boot);
	scheduler_start();
	sync_start();
	injection_open();
	arch_processors_release(scheduler_run);
	state_set(HOST_RUNNING);
	scheduler_run(&processors[0]);
	arch_processors_join();
	console_flush();
	hosted_processor_leave(&processors[0]);
	return unused;
}

static bool words_are_allowed(const char *words)
{
	static char error[512];
	if (strlen(words) >= sizeof(boot.command_line))
		snprintf(error, sizeof(error), "the words are longer than %zu characters",
		         sizeof(boot.command_line) - 1);
	else if (command_line_parse(strcpy(boot.command_line, words), &command_line, error, sizeof(error))) {
		if (!command_line.run_count && !command_line.list && !command_line.help)
			return true;
		snprintf(error, sizeof(error), "run=, list and help are words of the program, not of the library");
	}
	fprintf(stderr, "heddle_start: %s\n", error);
	return false;
}

enum heddle_error heddle_start(const char *words)
{
	pthread_mutex_lock(&mutex);
	bool stopped = state == HOST_STOPPED;
	if (stopped)
		state = HOST_STARTING;
	pthread_mutex_unlock(&mutex);
	if (!stopped)
		return HEDDLE_BAD_ARGUMENT;
	memset(&boot, 0, sizeof(boot));
	boot.loader = "an embedding program";
	log_level = LOG_WARNING; /* a library is silent, unless log= says otherwise */
	if (!words_are_allowed(words ? words : "")) {
		state_set(HOST_STOPPED);
		return HEDDLE_BAD_ARGUMENT;
	}
	hosted_symbols_start();
	hosted_signals_start();
	hosted_idle_start();
	if (!hosted_thread_create(&boot_processor, boot_main, NULL)) {
		state_set(HOST_STOPPED);
		return HEDDLE_NO_MEMORY;
	}
	pthread_mutex_lock(&mutex);
	while (state == HOST_STARTING)
		pthread_cond_wait(&changed, &mutex);
	bool failed = state == HOST_FAILED;
	pthread_mutex_unlock(&mutex);
	if (!failed)
		return HEDDLE_OK;
	pthread_join(boot_processor, NULL);
	state_set(HOST_STOPPED);
	return HEDDLE_NO_MEMORY;
}

/* ----------------------------------------------------------------------------------------------- run -- */

struct request {
	struct injection injection;
	task_function function;
	void *argument;
	intptr_t result;
	enum heddle_error error;
	bool done;
};

static void finish(struct request *request, enum heddle_error error)
{
	pthread_mutex_lock(&mutex);
	request->error = error;
	request->done = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

/* The task that stands for the calling thread: it makes the real one and joins it, so that a fault comes back
 * as an error. */
static intptr_t serve(void *argument)
{
	struct request *request = argument;
	struct task *task;
	struct task_options options = TASK_OPTIONS;
	options.name = "from-host";
	options.stack_size = 65536;
	enum heddle_error error = task_create(&task, request->function, request->argument, &options);
	if (error == HEDDLE_OK)
		error = task_join(task, &request->result);
	finish(request, error);
	return 0;
}

static void on_accepted(struct injection *injection, enum heddle_error error)
{
	if (error != HEDDLE_OK)
		finish((struct request *)injection, error);
}

enum heddle_error heddle_run(task_function function, void *argument, intptr_t *result)
{
	struct request request = {.function = function, .argument = argument};
	request.injection = (struct injection){NULL, serve, &request, on_accepted};
	if (!function)
		return HEDDLE_BAD_ARGUMENT;
	pthread_mutex_lock(&mutex);
	if (state != HOST_RUNNING) {
		pthread_mutex_unlock(&mutex);
		return HEDDLE_STOPPED;
	}
	callers++;
	pthread_mutex_unlock(&mutex);
	injection_submit(&request.injection);
	pthread_mutex_lock(&mutex);
	while (!request.done)
		pthread_cond_wait(&changed, &mutex);
	callers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	if (result && request.error == HEDDLE_OK)
		*result = request.result;
	return request.error;
}

/* ---------------------------------------------------------------------------------------------- stop -- */

static void count_task(struct task *task, void *count)
{
	if (task_has_stack(task))
		++*(int *)count;
}

int heddle_stop(void)
{
	pthread_mutex_lock(&mutex);
	if (state != HOST_RUNNING) {
		pthread_mutex_unlock(&mutex);
		return -1;
	}
	state = HOST_STOPPING;
	while (callers > 0)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	scheduler_stop(); /* first: a machine that stops is not deadlocked, whoever waits for what */
	injection_close();
	pthread_join(boot_processor, NULL);
	int left = 0;
	task_visit(count_task, &left);
	hosted_memory_free();
	state_set(HOST_STOPPED);
	return left;
}
