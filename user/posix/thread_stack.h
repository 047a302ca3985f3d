/*
 * Where the stacks of threads lie: in Heddle's memory (heddle/task.h); mapped, if they are larger (stacks.h); or in the
 * program's memory (pthread_attr_setstack()). In the last two cases the task is joined even where the thread is
 * detached, to know when its stack is free.
 */
#ifndef POSIX_THREAD_STACK_H
#define POSIX_THREAD_STACK_H

#include "user/posix/thread.h"

/* For a new thread, into the options that its task is made with. False: there is no memory. */
bool stack_choose(struct thread *thread, struct task_options *options, const pthread_attr_t *attributes);

/* Its task could not be made. */
void stack_unchoose(struct thread *thread);

/* Called by the thread itself, when it begins. */
void stack_note(struct thread *thread);

/* Wait until a thread that has ended has left its locks, and is off its stack. */
void stack_leave(const struct thread *thread);

/* Of one that has ended and nobody joins: it is free when it is off its stack. Under the table's lock. */
void stack_leave_later(struct thread *thread);

/* Where that has come to pass. By the next one that makes a thread, with what the attributes want. */
void stacks_reap(const pthread_attr_t *attributes);

#endif
