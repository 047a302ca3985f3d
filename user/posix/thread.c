#include "user/posix/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heddle/host.h"
#include "user/posix/attributes.h"
#include "user/posix/schedule.h"
#include "user/posix/signals.h"
#include "user/posix/table.h"
#include "user/posix/thread_stack.h"

static uint32_t running; /* except tasks that were made in another way; under the table's lock */

/* Whether there are tasks. Before main(), and in a child of fork(), there is only one thread, of the host. */
static bool begun;
static struct thread *lone;

/* ---------------------------------------------------------------------------------------------- misuse -- */

_Noreturn void thread_give_up(const char *function, const char *why)
{
	dprintf(STDERR_FILENO, "heddle: %s %s\n", function, why);
	abort();
}

struct task *thread_task(const char *function)
{
	struct task *task = heddle_calling_task();
	if (!task && begun)
		thread_give_up(function, "was called by a thread of the host's, which is no task: only threads that "
		                         "pthread_create() of heddle/pthread.h has made can call it");
	return task;
}

bool thread_wait_again(enum heddle_error error, const char *function)
{
	if (error == HEDDLE_UNCOOPERATIVE)
		thread_give_up(function,
		               "has to wait where its task cannot be switched away: in a function that the C "
		               "library or other code without Heddle's plugin has called; all of the program "
		               "is to be compiled with it (pkg-config --cflags heddle-posix)");
	if (error == HEDDLE_NO_MEMORY)
		thread_give_up(function, "has no memory to wait with: let Heddle have more (HEDDLE=memory=MIB)");
	if (error != HEDDLE_CANCELLED)
		return false;
	const struct thread *thread = thread_current_or_none();
	if (thread && thread->cancel_asynchronous)
		thread_test_cancel();
	return true;
}

/* A handler that does the same must not interrupt the host's thread while it waits. */
int thread_call_as_task(task_function function, void *argument)
{
	sigset_t all, before;
	intptr_t result = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before); /* the host's, as no task calls */
	enum heddle_error error = heddle_run(function, argument, &result);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error == HEDDLE_OK ? (int)result : ENOMEM;
}

bool thread_has_tasks(void)
{
	return begun;
}

/* -------------------------------------------------------------------------------------- the calling one -- */

struct thread *thread_current_or_none(void)
{
	if (heddle_calling_task())
		return task_local_get(THREAD_SLOT);
	return begun ? NULL : lone;
}

/* Give the thread to the calling task. If the thread is cancelled meanwhile, either the task sees `cancelled`, or the
 * canceller sees the task. */
static void thread_adopt(struct thread *thread)
{
	thread_lock();
	thread->task = thread->body = task_current();
	thread_unlock();
	stack_note(thread);
	task_local_set(THREAD_SLOT, thread);
}

struct thread *thread_current(void)
{
	struct thread *thread = thread_current_or_none();
	const struct task *task = heddle_calling_task();
	if (thread || (begun && !task))
		return thread;
	thread_lock();
	thread = thread_make();
	thread_unlock();
	if (!task)
		lone = thread;
	if (task && thread) {
		thread->detached = true;
		thread_adopt(thread);
	}
	return thread;
}

/* ---------------------------------------------------------------------------------------- begin and end -- */

static void before_fork(void)
{
	lone = thread_current_or_none();
}

static void in_child(void)
{
	begun = false;
	signals_child(lone);
}

void thread_first(void)
{
	struct thread *thread = lone ? lone : thread_make();
	if (!thread)
		thread_give_up("main()", "finds no memory for its first thread");
	thread_adopt(thread);
	thread->counts = true;
	thread->joins_task = true;
	thread->blocked = signals_at_start();
	thread_lock();
	signals_begin(thread);
	thread_unlock();
	running = 1;
	begun = true;
	pthread_atfork(before_fork, NULL, in_child);
}

/* The end of a thread, after its function. With the last thread the process ends. */
static void thread_end(struct thread *thread)
{
	thread->ending = true;
	thread_values_end(thread);
	thread_rereading_end(thread);
	thread_lock();
	thread->task = NULL;
	thread->state = THREAD_ENDED;
	running -= thread->counts;
	if (thread->counts)
		signals_end(thread);
	bool last = thread->counts && running == 0;
	if (thread->detached)
		stack_leave_later(thread);
	else
		event_set(&thread->ended);
	thread_unlock();
	if (last)
		exit(EXIT_SUCCESS);
}

_Noreturn void thread_exit(struct thread *thread, void *result)
{
	thread->ending = true;
	while (thread->cleanups)
		heddle_cleanup_pop(thread->cleanups, true);
	thread->result = result;
	thread_end(thread);
	if (!heddle_calling_task())
		exit(EXIT_SUCCESS);
	task_exit(0);
}

void pthread_exit(void *result)
{
	struct thread *thread = thread_current();
	if (!thread)
		thread_give_up("pthread_exit()", "was called by what is no thread of pthread_create()");
	thread_exit(thread, result);
}

static intptr_t thread_run(void *argument)
{
	struct thread *thread = argument;
	thread_adopt(thread);
	thread->result = thread->start(thread->argument);
	thread_end(thread);
	return 0;
}

static struct thread *thread_make_counted(const struct thread *creator)
{
	thread_lock();
	struct thread *thread = thread_make();
	if (thread) {
		thread->counts = true;
		thread->blocked = creator->blocked;
		running++;
		signals_begin(thread);
	}
	thread_unlock();
	return thread;
}

/* The thread's task could not be made. */
static void thread_unmake(struct thread *thread)
{
	stack_unchoose(thread);
	thread_lock();
	running--;
	signals_end(thread);
	thread_free(thread);
	thread_unlock();
}

int thread_create(pthread_t *number, const pthread_attr_t *attributes, void *(*start)(void *), void *argument,
                  bool grows)
{
	pthread_attr_t usual;
	if (!thread_task("pthread_create()")) {
		dprintf(STDERR_FILENO,
		        "heddle: pthread_create(): before main(), and in a child of fork(), there are no "
		        "tasks\n");
		return EAGAIN;
	}
	if (!attributes && pthread_attr_init(&usual) == 0)
		attributes = &usual;
	if (attributes_check(attributes->heddle_made) != 0)
		return EINVAL;
	stacks_reap(attributes);
	struct thread *creator = thread_current(), *thread = creator ? thread_make_counted(creator) : NULL;
	if (!thread)
		return EAGAIN;
	bool inherits = attributes->heddle_inherits == PTHREAD_INHERIT_SCHED;
	thread->start = start;
	thread->argument = argument;
	thread->detached = attributes->heddle_detached == PTHREAD_CREATE_DETACHED;
	thread->policy = inherits ? creator->policy : attributes->heddle_policy;
	thread->priority = inherits ? creator->priority : attributes->heddle_priority;
	memcpy(thread->name, creator->name, sizeof(thread->name));
	*number = thread_number(thread);
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "thread";
	options.priority = schedule_level(thread->policy, thread->priority);
	options.stack = grows ? HEDDLE_TASK_STACK_GROWS : HEDDLE_TASK_STACK_WHOLE;
	struct task *task;
	bool has_stack = stack_choose(thread, &options, attributes);
	options.detached = !thread->joins_task;
	if (has_stack && task_create(&task, thread_run, thread, &options) == HEDDLE_OK)
		return 0;
	thread_unmake(thread);
	return EAGAIN;
}

int heddle_pthread_create(pthread_t *number, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument)
{
	return thread_create(number, attributes, start, argument, false);
}

int heddle_pthread_create_growing(pthread_t *number, const pthread_attr_t *attributes, void *(*start)(void *),
                                  void *argument)
{
	return thread_create(number, attributes, start, argument, true);
}
