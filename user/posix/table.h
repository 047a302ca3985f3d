/*
 * The table of all threads. It changes under its lock, which protects keys as well.
 */
#ifndef POSIX_TABLE_H
#define POSIX_TABLE_H

#include "user/posix/thread.h"

void thread_lock(void);
void thread_unlock(void);

/* The functions below are called under the lock. */

/* Make a thread, which has no task yet; NULL: no memory. */
struct thread *thread_make(void);
void thread_free(struct thread *thread);

/* NULL: there is none with this number. */
struct thread *thread_find(pthread_t number);

/* A thread that is not free and for which the condition holds; NULL: none. */
struct thread *thread_search(bool (*holds)(const struct thread *thread, const void *argument),
                             const void *argument);

#endif
