/*
 * Tasks as threads of Linux (user/include/heddle/task.h), as far as the benchmarks use them. Priorities and quanta
 * are Linux's own.
 *
 * What a thread waits for in task_suspend() is its `ticket`:
 *
 *     NONE --task_resume--> KEPT --task_suspend--> NONE
 *     NONE --task_suspend--> AWAITED --task_resume: it is woken--> KEPT --task_suspend--> NONE
 *
 * | operation    | together with | progress                       | takes effect                       |
 * |--------------|---------------|--------------------------------|------------------------------------|
 * | task_resume  | everything    | wait-free                      | at the exchange of the ticket      |
 * | task_suspend | task_resume   | blocks until there is a ticket | at the exchange that takes it      |
 * | task_create, | everything    | blocks for the list of tasks   | when pthreads do                   |
 * | task_join    |               |                                |                                    |
 */
#include "heddle/task.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/system.h"
#include "tools/measure/linux/layer/futex.h"

enum { TICKET_NONE, TICKET_KEPT, TICKET_AWAITED };

struct task {
	pthread_t thread;
	task_function function;
	void *argument;
	bool detached;
	_Atomic uint32_t ticket;
	struct task *next_free;
};

/* Never returned to the C library: a thread that calls its free() first sets up caches, which is not what is
 * measured; and a late task_resume() still finds the word. */
static pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
static struct task *free_tasks;

static struct task first_task; /* of the thread that the program started with */
static _Thread_local struct task *current;

static struct task *task_take(void)
{
	pthread_mutex_lock(&free_lock);
	struct task *task = free_tasks;
	if (task)
		free_tasks = task->next_free;
	pthread_mutex_unlock(&free_lock);
	return task ? task : malloc(sizeof(struct task));
}

static void task_give_back(struct task *task)
{
	pthread_mutex_lock(&free_lock);
	task->next_free = free_tasks;
	free_tasks = task;
	pthread_mutex_unlock(&free_lock);
}

static void *thread_run(void *argument)
{
	struct task *task = argument;
	current = task;
	intptr_t result = task->function(task->argument);
	if (task->detached)
		task_give_back(task);
	return (void *)result;
}

/* The smallest stack that pthreads allow is 16 KiB; below it is a guard page, as is their default. */
static void attributes_set(pthread_attr_t *attributes, const struct task_options *options)
{
	size_t size = options->stack_size ? options->stack_size : HEDDLE_TASK_STACK_DEFAULT;
	size_t smallest = (size_t)sysconf(_SC_THREAD_STACK_MIN);
	pthread_attr_init(attributes);
	pthread_attr_setstacksize(attributes, size > smallest ? size : smallest);
	if (options->detached)
		pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED);
	if (options->bound) {
		cpu_set_t processors;
		CPU_ZERO(&processors);
		CPU_SET((unsigned)options->processor, &processors);
		pthread_attr_setaffinity_np(attributes, sizeof(processors), &processors);
	}
}

/* Linux does not say whether memory or a limit is exhausted. */
static enum heddle_error refused(int reason)
{
	heddle_log("pthread_create: %s", strerror(reason));
	return reason == EINVAL ? HEDDLE_BAD_ARGUMENT : HEDDLE_NO_MEMORY;
}

enum heddle_error task_create(struct task **task, task_function function, void *argument,
                              const struct task_options *options)
{
	struct task_options defaults = HEDDLE_TASK_OPTIONS;
	struct task *made = task_take();
	pthread_attr_t attributes;
	if (!made)
		return HEDDLE_NO_MEMORY;
	if (!options)
		options = &defaults;
	*made = (struct task){.function = function, .argument = argument, .detached = options->detached};
	if (task)
		*task = made;
	attributes_set(&attributes, options);
	int error = pthread_create(&made->thread, &attributes, thread_run, made);
	pthread_attr_destroy(&attributes);
	if (error == 0)
		return HEDDLE_OK;
	task_give_back(made);
	return refused(error);
}

enum heddle_error task_join(struct task *task, intptr_t *result)
{
	void *returned;
	if (pthread_join(task->thread, &returned) != 0)
		return HEDDLE_JOINED;
	if (result)
		*result = (intptr_t)returned;
	task_give_back(task);
	return HEDDLE_OK;
}

struct task *task_current(void)
{
	return current ? current : &first_task;
}

void task_yield(void)
{
	sched_yield();
}

enum heddle_error task_suspend(void)
{
	struct task *task = task_current();
	uint32_t expected = TICKET_NONE;
	/* NONE -> AWAITED; relaxed: it only tells task_resume() to wake us */
	atomic_compare_exchange_strong_explicit(&task->ticket, &expected, TICKET_AWAITED, memory_order_relaxed,
	                                        memory_order_relaxed);
	while (atomic_load_explicit(&task->ticket, memory_order_relaxed) == TICKET_AWAITED)
		futex_wait(&task->ticket, TICKET_AWAITED);
	/* KEPT -> NONE; acquire: pairs with task_resume */
	atomic_exchange_explicit(&task->ticket, TICKET_NONE, memory_order_acquire);
	return HEDDLE_OK;
}

void task_resume(struct task *task)
{
	/* any -> KEPT; release: the resumed thread sees what was written before; pairs with task_suspend */
	if (atomic_exchange_explicit(&task->ticket, TICKET_KEPT, memory_order_release) == TICKET_AWAITED)
		futex_wake(&task->ticket, 1);
}
