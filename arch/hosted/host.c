/*
 * Heddle as a library (heddle/host.h). Like kernel/main.c it looks upwards, to start the rest.
 */
#include "heddle/host.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arch/hosted/descriptors.h"
#include "arch/hosted/helpers.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "heddle/version.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/failure.h"
#include "sched/injection.h"
#include "sched/scheduler.h"
#include "sched/trace.h"
#include "sync/system_start.h"

/*
 * STOPPED --heddle_start--> STARTING --the boot processor--> RUNNING --heddle_stop--> STOPPING --> STOPPED
 *                           STARTING --no memory--> FAILED --> STOPPED
 * any --fork, in the child--> STOPPED; LOST if a task has called it: its stack is in the machine's memory
 */
static enum { HOST_STOPPED, HOST_STARTING, HOST_FAILED, HOST_RUNNING, HOST_STOPPING, HOST_LOST } state;
static unsigned callers; /* between hosted_enter() and hosted_leave() */

struct request {
	struct injection injection;
	task_function function;
	void *argument;
	struct task_options options;
	intptr_t result;
	enum heddle_error error;
	bool done;
	unsigned tasks;       /* that stand for the calling thread, while it is not done */
	struct request *next; /* in `waiting` */
};

/* Of threads that wait for what tasks do (outside.c). They keep no machine from stopping: heddle_stop() ends them. */
static struct request *waiting;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct boot_information boot;
static bool is_embedded; /* set before there is a processor, and never cleared */

const char *heddle_version(void)
{
	return HEDDLE_VERSION;
}

bool hosted_is_embedded(void)
{
	return is_embedded;
}

static void state_set(int value)
{
	pthread_mutex_lock(&mutex);
	state = value;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static void host_boot_main(void *unused)
{
	(void)unused;
	if (!hosted_memory_find(&boot)) {
		state_set(HOST_FAILED);
		return;
	}
	system_start(&boot);
	injection_open();
	failure_start();
	arch_processors_release(scheduler_run);
	state_set(HOST_RUNNING);
	scheduler_run(&processors[0]);
	arch_processors_join();
	trace_finish();
	console_flush();
}

/* In another program a fault ends the process, unless the words say otherwise. */
#define FIRST_WORD "fault=machine "

static bool words_are_allowed(const char *words)
{
	static char error[512];
	size_t room = sizeof(boot.command_line) - sizeof(FIRST_WORD);
	snprintf(boot.command_line, sizeof(boot.command_line), FIRST_WORD "%s", words);
	if (strlen(words) > room)
		snprintf(error, sizeof(error), "the words are longer than %zu characters", room);
	else if (command_line_parse(boot.command_line, &command_line, error, sizeof(error))) {
		if (!command_line.run_count && !command_line.list && !command_line.help)
			return true;
		snprintf(error, sizeof(error), "run=, list and help are words of the program, not of the library");
	}
	dprintf(STDERR_FILENO, "heddle_start: %s\n", error);
	return false;
}

/* A child of the process has no machine: of all threads it has only the one that called fork(). */
static void before_fork(void)
{
	pthread_mutex_lock(&mutex);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&mutex);
}

/* A task has called fork(). In the child it still runs on its stack, but no other task may run. */
static void leave_processor(void)
{
	processor_current()->uncooperative++;
	state = HOST_LOST;
}

static void after_fork_in_child(void)
{
	sigset_t blocked;
	pthread_mutex_unlock(&mutex);
	pthread_cond_init(&changed, NULL);
	if (hosted_signals_of_task(&blocked))
		pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	hosted_processors_forget();
	hosted_helpers_forget();
	if (state == HOST_STOPPED)
		return;
	hosted_signals_end();
	callers = 0;
	waiting = NULL;
	state = HOST_STOPPED;
	if (hosted_is_processor())
		leave_processor();
	else
		hosted_memory_free();
	hosted_signals_close();
}

static void watch_forks(void)
{
	static bool watched;
	if (!watched)
		watched = pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
}

static void host_give_back(void)
{
	pthread_join(processors[0].arch->thread, NULL);
	hosted_signals_end();
}

static enum heddle_error host_start(void)
{
	watch_forks();
	console_start();
	hosted_symbols_start();
	hosted_requests_start();
	hosted_report_start();
	hosted_signals_start();
	hosted_idle_start();
	if (!hosted_processor_create(&processors[0], host_boot_main, NULL)) {
		hosted_signals_end();
		return HEDDLE_NO_MEMORY;
	}
	pthread_mutex_lock(&mutex);
	while (state == HOST_STARTING)
		pthread_cond_wait(&changed, &mutex);
	bool failed = state == HOST_FAILED;
	pthread_mutex_unlock(&mutex);
	if (!failed)
		return HEDDLE_OK;
	host_give_back();
	return HEDDLE_NO_MEMORY;
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
	is_embedded = true;
	log_level = LOG_WARNING; /* a library is silent, unless log= says otherwise */
	bool allowed = hosted_link_is_allowed() && words_are_allowed(words ? words : "");
	enum heddle_error error = allowed ? host_start() : HEDDLE_BAD_ARGUMENT;
	if (error != HEDDLE_OK)
		state_set(HOST_STOPPED);
	return error;
}

bool hosted_enter(void)
{
	pthread_mutex_lock(&mutex);
	bool runs = state == HOST_RUNNING;
	callers += runs;
	pthread_mutex_unlock(&mutex);
	return runs;
}

void hosted_leave(void)
{
	pthread_mutex_lock(&mutex);
	callers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

/* ----------------------------------------------------------------------------------------------- run -- */

static void host_finish(struct request *request, enum heddle_error error)
{
	pthread_mutex_lock(&mutex);
	request->error = error;
	request->done = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

/* The task that stands for the calling thread: it creates the real one and joins it, so that a fault is returned as
 * an error. */
static intptr_t host_serve(void *argument)
{
	struct request *request = argument;
	struct task *task;
	request->tasks = 1;
	enum heddle_error error = task_create(&task, request->function, request->argument, &request->options);
	if (error == HEDDLE_OK) {
		request->tasks = 2;
		error = task_join(task, &request->result);
	}
	host_finish(request, error);
	return 0;
}

/* Called between two operations on the processor's queues, because tasks are created here, too. */
static void host_on_accepted(struct injection *injection, enum heddle_error error)
{
	if (error != HEDDLE_OK)
		host_finish((struct request *)injection, error);
}

static struct task_options options_of(const struct task_options *given)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	if (given)
		options = *given;
	options.detached = false;
	if (!options.name)
		options.name = "from-host";
	if (options.stack_size == 0)
		options.stack_size = HEDDLE_RUN_STACK;
	return options;
}

/* With the mutex: from here on it is only a waiting request. */
static void begin_waiting(struct request *request)
{
	request->next = waiting;
	waiting = request;
	callers--;
	pthread_cond_broadcast(&changed);
}

static void end_waiting(struct request *request)
{
	struct request **link = &waiting;
	while (*link != request)
		link = &(*link)->next;
	*link = request->next;
	callers++;
}

/* `waits`: heddle_stop() may end it. */
static enum heddle_error run_from_outside(struct request *request, bool waits)
{
	request->injection = (struct injection){NULL, host_serve, request, host_on_accepted};
	if (!hosted_enter())
		return HEDDLE_STOPPED;
	injection_submit(&request->injection);
	pthread_mutex_lock(&mutex);
	if (waits)
		begin_waiting(request);
	while (!request->done)
		pthread_cond_wait(&changed, &mutex);
	if (waits)
		end_waiting(request);
	pthread_mutex_unlock(&mutex);
	hosted_leave();
	return request->error;
}

enum heddle_error hosted_wait_outside(task_function function, void *argument)
{
	static const struct task_options whole = {.stack = HEDDLE_TASK_STACK_WHOLE};
	struct request request = {.function = function, .argument = argument, .options = options_of(&whole)};
	enum heddle_error error = run_from_outside(&request, true);
	return error == HEDDLE_OK ? (enum heddle_error)request.result : error;
}

enum heddle_error heddle_run_with(task_function function, void *argument, const struct task_options *options,
                                  intptr_t *result)
{
	struct request request = {.function = function, .argument = argument, .options = options_of(options)};
	if (!function || hosted_is_processor())
		return HEDDLE_BAD_ARGUMENT;
	enum heddle_error error = run_from_outside(&request, false);
	if (result && error == HEDDLE_OK)
		*result = request.result;
	return error;
}

enum heddle_error heddle_run(task_function function, void *argument, intptr_t *result)
{
	return heddle_run_with(function, argument, NULL, result);
}

/* ---------------------------------------------------------------------------------------------- stop -- */

static void count_task(struct task *task, void *count)
{
	if (task_has_stack(task))
		++*(int *)count;
}

/* No task runs any more, so what these threads wait for does not come. Returns how many tasks stood for them. */
static int end_waiting_requests(void)
{
	unsigned tasks = 0;
	pthread_mutex_lock(&mutex);
	for (struct request *request = waiting; request; request = request->next) {
		if (request->done)
			continue;
		tasks += request->tasks;
		request->error = HEDDLE_STOPPED;
		request->done = true;
	}
	pthread_cond_broadcast(&changed);
	while (waiting || callers > 0)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return (int)tasks;
}

int heddle_stop(void)
{
	if (hosted_is_processor())
		return -1;
	pthread_mutex_lock(&mutex);
	if (state != HOST_RUNNING) {
		pthread_mutex_unlock(&mutex);
		return -1;
	}
	state = HOST_STOPPING;
	while (callers > 0)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	scheduler_stop(); /* first: a machine that stops is not deadlocked, whatever waits */
	injection_close();
	host_give_back();
	int left = -end_waiting_requests();
	hosted_blocking_end();
	hosted_descriptors_end();
	task_visit(count_task, &left);
	hosted_memory_free();
	state_set(HOST_STOPPED);
	return left;
}
