/*
 * The program's main() is a task, too: the linker puts this function in its place (--wrap=main).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* The host's, called by their addresses: below, their names mean the functions for tasks. */
static int (*const volatile host_create)(pthread_t *thread, const pthread_attr_t *attributes,
                                         void *(*start)(void *), void *argument) = pthread_create;
static int (*const volatile host_detach)(pthread_t thread) = pthread_detach;

#include "heddle/host.h"
#include "user/posix/signals.h"
#include "user/posix/stacks.h"
#include "user/posix/thread.h"

extern int __real_main(int count, char **arguments, char **environment);
int __wrap_main(int count, char **arguments, char **environment);

struct call {
	int count;
	char **arguments, **environment;
};

static intptr_t first_thread(void *argument)
{
	const struct call *call = argument;
	thread_first();
	exit(__real_main(call->count, call->arguments, call->environment));
}

static intptr_t begin(void *call)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.name = "main";
	options.stack = HEDDLE_TASK_STACK_WHOLE;
	options.stack_size = stack_of_process();
	options.stack_memory = stack_map(options.stack_size);
	return options.stack_memory ? task_create(&task, first_thread, call, &options) : HEDDLE_NO_MEMORY;
}

/* On a thread of the host's that ends with this. The task may wait in the C library from its first statement on, so
 * that heddle_run() returns late: signals are served meanwhile. */
static void *begin_main(void *call)
{
	intptr_t error = HEDDLE_OK;
	if (heddle_run(begin, call, &error) != HEDDLE_OK || error != HEDDLE_OK) {
		fprintf(stderr, "heddle: there is no memory for main()\n");
		_Exit(EXIT_FAILURE);
	}
	return NULL;
}

int __wrap_main(int count, char **arguments, char **environment)
{
	struct call call = {count, arguments, environment};
	pthread_t thread;
	if (!signals_start() || heddle_start(getenv("HEDDLE")) != HEDDLE_OK)
		return EXIT_FAILURE;
	if (host_create(&thread, NULL, begin_main, &call) != 0) {
		fprintf(stderr, "heddle: the host gives no thread\n");
		return EXIT_FAILURE;
	}
	host_detach(thread);
	/* The process ends with main(), or with its last thread. */
	signals_serve();
}
