/*
 * A thread: a task, and what POSIX knows about it besides. Its number (pthread_t) is its place in a table, with the
 * count of earlier threads at that place, so that no number is used twice.
 *
 *     FREE --thread_make--> RUNNING --thread_end--> ENDED --joined, or detached and off its stack--> FREE
 *
 * The table, `state`, `task` and `joined` change under the table's lock (table.h). Any thread may set `cancelled`. The
 * rest is the thread's own.
 */
#ifndef POSIX_THREAD_H
#define POSIX_THREAD_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heddle/event.h"
#include "heddle/pthread.h"
#include "heddle/task.h"

/* The task-local slot (heddle/task.h) that holds the thread: the program must not use it. */
#define THREAD_SLOT (HEDDLE_TASK_LOCAL_SLOTS - 1)

#define THREAD_NAME 16 /* with the end of the text, as on Linux */

enum thread_state { THREAD_FREE, THREAD_RUNNING, THREAD_ENDED };

struct thread_values;
struct thread_rereading;

struct thread {
	uint32_t index, turn; /* its place, and how many threads were there */
	struct thread *next;  /* the next free one */
	enum thread_state state;
	struct task *task; /* NULL: it has ended, or is about to */
	bool detached, joined;
	struct task *body; /* its task, also when it has ended */
	bool joins_task;   /* that task is joined, to know when it has left its locks and its stack */
	void *mapped;      /* its stack, if stack_map() made it */
	size_t mapped_size;
	void *stack; /* by the attributes; NULL: it grows */
	size_t stack_size;
	bool counts; /* the process lives as long as this thread */
	struct event ended;

	void *(*start)(void *);
	void *argument, *result;
	char name[THREAD_NAME];
	int policy, priority;      /* with the values of the system's <sched.h> */
	sigset_t blocked, pending; /* the latter were sent to this thread alone */
	_Atomic uint32_t caused;   /* likewise, by its own calls: signals 1 to 31, as bits */
	const sigset_t *awaited;   /* it waits for these; NULL: for none */

	_Atomic bool cancelled; /* its end was requested */
	bool cancel_disabled, cancel_asynchronous;
	bool ending; /* it cannot be cancelled again */
	struct heddle_cleanup *cleanups;
	struct thread_values *values;
	struct thread_rereading *rereading; /* reader_writer_lock.c */
};

/* The thread of the calling task. A task that no function here has made gets one when it first asks, and keeps it.
 * NULL: no memory, or the caller is a thread of the host. */
struct thread *thread_current(void);

/* The same for a task that has a thread already. */
struct thread *thread_current_or_none(void);

/* The calling task. NULL: the caller is the only thread, of the host, before main() or in a child of fork(): it never
 * has to wait. If another thread of the host calls, the process ends with a sentence. */
struct task *thread_task(const char *function);

pthread_t thread_number(const struct thread *thread);

/* As pthread_create(). */
int thread_create(pthread_t *number, const pthread_attr_t *attributes, void *(*start)(void *), void *argument,
                  bool grows);

/* Make the calling task the program's first thread; its stack was mapped. */
void thread_first(void);

/* End the calling thread: run its handlers, destroy its values, end the task, and with the last thread the
 * process. */
_Noreturn void thread_exit(struct thread *thread, void *result);

/* End the thread here if it was cancelled. */
void thread_test_cancel(void);

/* Whether that would end it. */
bool thread_is_to_end(void);

/* The result of functions that set errno. */
static inline int failed_with(int error)
{
	errno = error;
	return -1;
}

/* Whether a wait was ended only by a cancellation, so that the caller, which is no cancellation point, has to wait
 * again. If the task could not wait at all, the process ends with a sentence. */
bool thread_wait_again(enum heddle_error error, const char *function);

/* Have a task call the function for a thread of the host, which waits for the result. A signal handler may do so,
 * too: the first thread of the host runs it, and does nothing else. ENOMEM. */
int thread_call_as_task(task_function function, void *argument);

/* False before main() and in a child of fork(). */
bool thread_has_tasks(void);

/* A sentence on standard error, and the end of the process. */
_Noreturn void thread_give_up(const char *function, const char *why);

/* Give the values of keys to their destructors, and forget them. */
void thread_values_end(struct thread *thread);

/* Forget what it reads again and has not given back. */
void thread_rereading_end(struct thread *thread);

#endif
