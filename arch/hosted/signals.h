/*
 * The signals that a machine takes, in a program that may have its own handlers for them.
 *
 *     SIGILL, SIGBUS, SIGFPE, SIGSEGV    faults (faults.c)
 *     SIGURG                             requests between processors (requests.c); ignored by default
 *
 * A signal is ours if its handler here says so, on a thread that is a processor. Any other signal is passed on: to
 * the handler that was there before, with its arguments and with the signals blocked that it wants blocked. If there
 * was no handler, the signal has its default effect, so that the process ends as it would have ended.
 *
 *     the program's --heddle_start--> ours --heddle_stop--> the program's
 *     ours --the program installs a handler of its own--> the program's, until the program removes it
 *
 * While no machine runs, a program without a handler for SIGSEGV has one of ours. It ends the process by that
 * signal, and if a function for tasks was called, it names that first.
 *
 * Processor threads take these signals, and SIGTRAP and SIGSYS, which a task's own code can cause. All others are
 * blocked there: their handlers would run on the stacks of tasks.
 */
#ifndef ARCH_HOSTED_SIGNALS_H
#define ARCH_HOSTED_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Called on a thread that is a processor. True: the signal was ours, and is handled. */
typedef bool signal_handler(const siginfo_t *information, ucontext_t *context);
signal_handler hosted_fault, hosted_request;

#define REQUEST_SIGNAL SIGURG

/* Whether an instruction has caused the signal, and causes it again when repeated; else it was sent. */
bool hosted_signal_is_fault(const siginfo_t *information);

/* Take the signals, and give them back. Processor threads exist only in between. */
void hosted_signals_start(void);
void hosted_signals_end(void);

/* Block all signals, before a processor's thread is created; `before`: what was blocked. */
void hosted_signals_block(sigset_t *before);

/* Unblock the signals that are taken here, and those that an instruction may cause. */
void hosted_signals_let_in(void);

/* From now on the calling thread is a processor, and takes their signals. */
void hosted_signals_open(void);

/* Whether the calling thread is a processor. */
bool hosted_is_processor(void);

/* The calling thread is no processor any more: in a child forked by a task, which has no machine. */
void hosted_signals_close(void);

#endif
