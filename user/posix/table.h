/*
 * The table of all threads. What it has is changed under its lock, which keys have as well.
 */
#ifndef POSIX_TABLE_H
#define POSIX_TABLE_H

#include "user/posix/thread.h"

void thread_lock(void);
void thread_unlock(void);

/* The rest is called under the lock. */

/* A new one, which is nobody's yet; NULL: no memory. */
struct thread *thread_make(void);
void thread_free(struct thread *thread);

/* NULL: there is none of this number. */
struct thread *thread_find(pthread_t number);

/* One that is not free, and for which the condition holds; NULL: none. */
struct thread *thread_search(bool (*holds)(const struct thread *thread, const void *argument),
                             const void *argument);

#endif
