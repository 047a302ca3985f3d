/*
 * The signals that a machine takes, in a program that may have handlers of its own for them.
 *
 *     SIGILL, SIGBUS, SIGFPE, SIGSEGV    faults (faults.c)
 *     SIGURG                             processors tell each other (requests.c); nobody minds it by default
 *
 * A signal is ours if its handler here says so, on a thread that is a processor. Any other is handed on: to what was
 * there before, with what that would have been called with, and with the signals blocked that it wants blocked; or,
 * where there was no handler, it does what it would have done, so that the process ends as it would have ended.
 *
 *     the program's --heddle_start--> ours --heddle_stop--> the program's
 *     ours --the program puts a handler of its own--> the program's, until it takes that away itself
 *
 * Threads that are processors take these, and what else a function of a task brings about by itself, SIGTRAP and
 * SIGSYS; all others are blocked there: their handlers would run on the stacks of tasks.
 */
#ifndef ARCH_HOSTED_SIGNALS_H
#define ARCH_HOSTED_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Called on a thread that is a processor; true: it was ours, and that is done. */
typedef bool signal_handler(const siginfo_t *information, ucontext_t *context);
signal_handler hosted_fault, hosted_request;

#define REQUEST_SIGNAL SIGURG

/* Whether an instruction has brought the signal about, and does so again when it is repeated; else somebody sent it. */
bool hosted_signal_is_fault(const siginfo_t *information);

/* Take the signals, and give them back. The threads that are processors live in between. */
void hosted_signals_start(void);
void hosted_signals_end(void);

/* Block all signals, before a thread is made that is to become a processor; `before`: what was blocked. */
void hosted_signals_block(sigset_t *before);

/* Let those in that are taken here, and what else an instruction may bring about. */
void hosted_signals_let_in(void);

/* From now on the calling thread is a processor, and takes the signals that are for those. */
void hosted_signals_open(void);

/* Whether it is. */
bool hosted_is_processor(void);

/* It is none any more: in a child of a task, in which there is no machine. */
void hosted_signals_close(void);

#endif
