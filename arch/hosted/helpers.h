/*
 * Threads of the library that are no processors: they block where processors must not, and notify tasks afterwards
 * (sched/external_wait.h). The first task that needs them starts them.
 */
#ifndef ARCH_HOSTED_HELPERS_H
#define ARCH_HOSTED_HELPERS_H

#include <pthread.h>
#include <stdbool.h>

/* By any thread, also one that holds the lock below: run main(NULL) on a new thread, on all of the host's processors
 * that the program may use. False: the host gives no thread. */
bool hosted_helper_create(pthread_t *thread, void *(*main)(void *unused));

/* By a task: call start() on the processor's stack, with signals blocked, one caller at a time; returns its
 * result. */
bool hosted_helper_start(bool (*start)(void));

/* Record which of the host's processors the program may use. Before the first processor is pinned. */
void hosted_helpers_prepare(void);

/* By heddle_stop(), when no processor runs any more: end the threads that call functions. */
void hosted_blocking_end(void);

/* In a child of the process, which has none of these threads. */
void hosted_helpers_forget(void);
void hosted_blocking_forget(void);

#endif
