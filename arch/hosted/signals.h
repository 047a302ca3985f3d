/*
 * The signals that a machine takes, in a program that may have its own handlers for them.
 *
 *     SIGILL, SIGBUS, SIGFPE, SIGSEGV    faults (faults.c)
 *     SIGURG                             requests between processors (requests.c); ignored by default
 *     SIGPIPE, SIGXFSZ                   the host's kernel sends them to the thread whose call causes them: they stay
 *                                        pending for a task that blocks them (task_signals.c), and are the program's
 *                                        otherwise; not taken while the program ignores them
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
 * Processor threads and helpers take these signals, and SIGTRAP and SIGSYS, which a task's own code can cause. All
 * others are blocked there: their handlers would run on the stacks of tasks. What a task blocks is with the task; a
 * process that it makes inherits that, and not what its processor blocks (children.h).
 */
#ifndef ARCH_HOSTED_SIGNALS_H
#define ARCH_HOSTED_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Called on a thread that is a processor. True: the signal was ours, and is handled. */
typedef bool signal_handler(const siginfo_t *information, ucontext_t *context);
signal_handler hosted_fault, hosted_request, hosted_signal_of_call;

#define REQUEST_SIGNAL SIGURG

/* Whether an instruction has caused the signal, and causes it again when repeated; else it was sent. */
bool hosted_signal_is_fault(const siginfo_t *information);

/* Whether the program had a handler of a fault's signal when the machine started. */
bool hosted_signal_has_handler(int number);

/* Take the signals, and give them back. Processor threads exist only in between. */
void hosted_signals_start(void);
void hosted_signals_end(void);

/* sigaction() for signals that are taken for the program's sake: what the program sets is what they have when they are
 * handed on. */
int hosted_signals_action(int number, const struct sigaction *action, struct sigaction *old);

/* What is blocked for the calling task, or for the task for which a helper runs a function: what its creator has set,
 * or the thread that started the machine, and what the task has set. False: a thread of the program calls, which has
 * its own. */
bool hosted_signals_of_task(sigset_t *blocked);

/* The calling helper, from now on, makes calls for a task that blocks these signals; NULL: for none. What it blocks,
 * the host's kernel is to hold back while it makes them. */
void hosted_signals_help(const sigset_t *blocked);

/* Signals 1 to 31, as bits, that a helper's calls have caused, and that were held back. */
uint32_t hosted_signals_held(void);

/* What the calling task has set itself, in addition to `others`. (task_signals.c) */
void hosted_task_mask(sigset_t *blocked, const sigset_t *others);

/* They are pending for the calling task. (task_signals.c) */
void hosted_signals_pend(uint32_t numbers);

/* What threads block that are more than tasks (user/posix/); not there: there are no such threads. The thread of the
 * calling task; and a signal is pending for it. */
__attribute__((weak)) void heddle_thread_mask(sigset_t *blocked);
__attribute__((weak)) void heddle_thread_pend(int number);

/* Block all signals, before a processor's thread is created; `before`: what was blocked. */
void hosted_signals_block(sigset_t *before);

/* Unblock the signals that are taken here, and those that an instruction may cause. */
void hosted_signals_let_in(void);

/* From now on the calling thread is a processor, and takes their signals. */
void hosted_signals_open(void);

/* Whether the calling thread is a processor. */
bool hosted_is_processor(void);

/* The calling thread is no processor and no helper any more: in a forked child, which has no machine. */
void hosted_signals_close(void);

#endif
