/*
 * Signals are the process's: processors have them blocked, and one thread of the host's, the program's first, takes
 * them and runs the handlers, but for those that all threads block (pthread_sigmask()), or that one waits for.
 */
#ifndef POSIX_SIGNALS_H
#define POSIX_SIGNALS_H

#include "user/posix/thread.h"

/* The thread begins, with the mask that it has, or ends. Under the lock of the threads' table. */
void signals_begin(const struct thread *thread);
void signals_end(const struct thread *thread);

/* The host's thread goes on with this for ever. */
_Noreturn void signals_serve(void);

/* Once, before it, and before there are tasks: until it nothing is taken. False: the host gives no descriptor. */
bool signals_start(void);

/* What was blocked then. */
sigset_t signals_at_start(void);

/* From now on the signals of the set are for the calling thread, which waits for them; or not any more. */
void signals_await(const sigset_t *set);
void signals_await_no_more(const sigset_t *set);

/* Return when what the process was sent, and some thread takes, was taken, and the handlers have run. */
void signals_take(void);

/* In a child, which is what the thread was: its mask is the host's again. */
void signals_child(const struct thread *thread);

#endif
