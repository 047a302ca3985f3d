/*
 * Where the stacks of threads lie: in Heddle's memory (heddle/task.h); mapped, if they are larger (stacks.h); or in
 * the program's memory (pthread_attr_setstack()). In the last two cases the task is joined even if the thread is
 * detached, to know when its stack is free.
 */
#ifndef POSIX_THREAD_STACK_H
#define POSIX_THREAD_STACK_H

#include "user/posix/thread.h"

/* Choose the stack of a new thread, and enter it in the options for its task. False: there is no memory. */
bool stack_choose(struct thread *thread, struct task_options *options, const pthread_attr_t *attributes);

/* The thread's task could not be made: undo that. */
void stack_unchoose(struct thread *thread);

/* Called by the thread itself, when it begins. */
void stack_note(struct thread *thread);

/* Wait until a thread that has ended has left its locks and its stack. */
void stack_leave(const struct thread *thread);

/* For a detached thread that has ended: free it when it has left its stack. Under the table's lock. */
void stack_leave_later(struct thread *thread);

/* Free those that have left their stacks. Called before the next thread is made, with its attributes. */
void stacks_reap(const pthread_attr_t *attributes);

#endif
