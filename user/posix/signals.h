/*
 * Signals are the process's: processors have them blocked. One thread of the host, the program's first, takes them
 * and runs the handlers, except for signals that all threads block (pthread_sigmask()), or for which one waits. A
 * signal that a thread sends itself stays in the thread.
 */
#ifndef POSIX_SIGNALS_H
#define POSIX_SIGNALS_H

#include "user/posix/thread.h"

/* The thread begins, with its present mask, or ends. Under the lock of the threads' table. */
void signals_begin(const struct thread *thread);
void signals_end(const struct thread *thread);

/* The host's thread goes on with this for ever. */
_Noreturn void signals_serve(void);

/* Once, before signals_serve() and before there are tasks. No signal is taken until that runs. False: the host gives
 * no descriptor. */
bool signals_start(void);

/* What was blocked at that time. */
sigset_t signals_at_start(void);

/* From now on the signals of the set are for the calling thread, which waits for them; or not any more. */
void signals_await(const sigset_t *set);
void signals_await_no_more(const sigset_t *set);

/* Return when all signals that were sent to the process, and that some thread takes, were taken, and the handlers
 * have run. */
void signals_take(void);

/* The calling thread has sent itself this signal, and does not block it: run the handler here; without a handler it is
 * the process's. An error's number. */
int signals_deliver(int number);

/* Add the signals that the thread's own calls have caused to those that are pending for it. Under the lock of the
 * threads' table. */
void signals_gather(struct thread *thread);

/* In a child of fork(), which continues the thread: set the host's mask to the thread's. */
void signals_child(const struct thread *thread);

#endif
