/*
 * A thread: a task, and what POSIX knows of it besides. Its number (pthread_t) is its place in a table, with the count
 * of threads that were at that place before, so that a number is not used again.
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

/* The task-local slot (heddle/task.h) that has the thread: the program must not use it. */
#define THREAD_SLOT (HEDDLE_TASK_LOCAL_SLOTS - 1)

#define THREAD_NAME 16 /* with its end, as Linux has it */

enum thread_state { THREAD_FREE, THREAD_RUNNING, THREAD_ENDED };

struct thread_values;
struct thread_rereading;

struct thread {
	uint32_t index, turn; /* its place, and how many were there */
	struct thread *next;  /* of those that are free */
	enum thread_state state;
	struct task *task; /* NULL: it has ended, or is about to */
	bool detached, joined;
	struct task *body; /* its task, also when it has ended */
	bool joins_task;   /* that task is joined, to know when it is off its locks and its stack */
	void *mapped;      /* its stack, where stack_map() made it */
	size_t mapped_size;
	void *stack; /* as the attributes have it; NULL: it grows */
	size_t stack_size;
	bool counts; /* the process lives as long as it does */
	struct event ended;

	void *(*start)(void *);
	void *argument, *result;
	char name[THREAD_NAME];
	int policy, priority;      /* as the system's <sched.h> has them */
	sigset_t blocked, pending; /* the latter of those that were sent to it alone */
	const sigset_t *awaited;   /* it waits for these; NULL: for none */

	_Atomic bool cancelled; /* somebody has asked for its end */
	bool cancel_disabled, cancel_asynchronous;
	bool ending; /* it is not cancelled again */
	struct heddle_cleanup *cleanups;
	struct thread_values *values;
	struct thread_rereading *rereading; /* reader_writer_lock.c */
};

/* Of the calling task; one that no function here has made gets one when it first asks, and keeps it. NULL: no memory,
 * or a thread of the host's has called. */
struct thread *thread_current(void);

/* The same of a task that has one already. */
struct thread *thread_current_or_none(void);

/* The calling task. NULL: the only thread of the host's, before main() or in a child of fork(): it never has to wait.
 * Where another thread of the host's calls, the process ends with a sentence. */
struct task *thread_task(const char *function);

pthread_t thread_number(const struct thread *thread);

/* As pthread_create(). */
int thread_create(pthread_t *number, const pthread_attr_t *attributes, void *(*start)(void *), void *argument,
                  bool grows);

/* The calling task becomes the program's first thread, whose stack was mapped. */
void thread_first(void);

/* End the calling thread: its handlers, its values, then the task; with the last one the process. */
_Noreturn void thread_exit(struct thread *thread, void *result);

/* Where a thread ends if it was cancelled: it does not return then. */
void thread_test_cancel(void);

/* Whether it would. */
bool thread_is_to_end(void);

/* What functions return that give their error in errno. */
static inline int failed_with(int error)
{
	errno = error;
	return -1;
}

/* Whether a wait was ended by a cancellation alone, so that the caller, no cancellation point, has to wait again. Where
 * the task could not wait at all, the process ends with a sentence. */
bool thread_wait_again(enum heddle_error error, const char *function);

/* Have a task call the function, for a thread of the host's, which waits for the result. A signal's handler may do so,
 * too: the first thread of the host's runs it, and does nothing else. ENOMEM. */
int thread_call_as_task(task_function function, void *argument);

/* False before main() and in a child of fork(). */
bool thread_has_tasks(void);

/* A sentence on standard error, and the end of the process. */
_Noreturn void thread_give_up(const char *function, const char *why);

/* Give the values of keys to their destructors, and forget them. */
void thread_values_end(struct thread *thread);

#endif
