/*
 * What tasks do with signals: handlers that they install, signals that they send to themselves, and those that they
 * block meanwhile. Instrumented code calls these functions in place of the C library's (ways.asm), where those would
 * run.
 *
 * Processors block most signals, whichever task runs (signals.h). So what a task blocks is kept with the task, and a
 * signal that it blocks and sends to itself is not sent to the host before the task lets it in or waits for it. The
 * task may go on elsewhere in between. This holds for signals 1 to 31; those for real time are never blocked.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"

#define STANDARD_MOST 31

int hosted_sigaction(int number, const struct sigaction *action, struct sigaction *old);
void (*hosted_signal(int number, void (*handler)(int)))(int);
void (*hosted_signal_once(int number, void (*handler)(int)))(int);
int hosted_raise(int number);
int hosted_pthread_kill(pthread_t thread, int number);
int hosted_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int hosted_sigprocmask(int how, const sigset_t *set, sigset_t *old);
int hosted_sigpending(sigset_t *set);
int hosted_sigsuspend(const sigset_t *set);
int hosted_sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *time);
int hosted_sigwaitinfo(const sigset_t *set, siginfo_t *information);
int hosted_sigwait(const sigset_t *set, int *number);

/* ------------------------------------------------------------------------------------------- handlers -- */

/* Linux puts some kilobytes on the stack on which a signal arrives, and a task's stack may have less left. So
 * handlers run on the processor's signal stack, as ours do. */
int hosted_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	if (!action)
		return hosted_signals_action(number, NULL, old);
	struct sigaction elsewhere = *action;
	elsewhere.sa_flags |= SA_ONSTACK;
	return hosted_signals_action(number, &elsewhere, old);
}

static void (*install(int number, void (*handler)(int), int flags))(int)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
	sigemptyset(&action.sa_mask);
	return hosted_sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

void (*hosted_signal(int number, void (*handler)(int)))(int)
{
	return install(number, handler, SA_RESTART);
}

void (*hosted_signal_once(int number, void (*handler)(int)))(int)
{
	return install(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

/* ---------------------------------------------------------------------------------------------- send -- */

static uint32_t bit_of(int number)
{
	return number >= 1 && number <= STANDARD_MOST ? UINT32_C(1) << (number - 1) : 0;
}

static int first_of(uint32_t bits)
{
	return __builtin_ctz(bits) + 1;
}

/* A program relies on it that the handler has run when raise() returns. What the handler blocks ends with it. */
static int let_in(struct arch_kept *kept, int number)
{
	sigset_t raised, before;
	uint32_t blocked = kept ? kept->blocked : 0;
	sigemptyset(&raised);
	if (sigaddset(&raised, number) != 0)
		return raise(number);
	pthread_sigmask(SIG_UNBLOCK, &raised, &before);
	int result = raise(number);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (kept)
		kept->blocked = blocked;
	return result;
}

/* Let in what is pending and no longer blocked. */
static void let_in_pending(struct arch_kept *kept)
{
	for (uint32_t due; (due = kept->pending & ~kept->blocked) != 0;) {
		kept->pending &= ~bit_of(first_of(due));
		let_in(kept, first_of(due));
	}
}

int hosted_raise(int number)
{
	if (!hosted_is_processor())
		return raise(number);
	struct arch_kept *kept = control_keep_signals();
	if (!kept || !(kept->blocked & bit_of(number)))
		return let_in(kept, number);
	kept->pending |= bit_of(number);
	return 0;
}

/* The thread that the task has seen as its own may be another processor's by now. */
static bool is_processors(pthread_t thread)
{
	for (unsigned i = 0; i < processor_count; i++)
		if (pthread_equal(thread, processors[i].arch->thread))
			return true;
	return false;
}

int hosted_pthread_kill(pthread_t thread, int number)
{
	if (number == 0 || !hosted_is_processor() || !is_processors(thread))
		return pthread_kill(thread, number);
	int before = errno;
	int error = hosted_raise(number) == 0 ? 0 : errno;
	errno = before;
	return error;
}

/* --------------------------------------------------------------------------------------------- block -- */

static uint32_t bits_of(const sigset_t *set)
{
	uint32_t bits = 0;
	for (int number = 1; number <= STANDARD_MOST; number++)
		if (sigismember(set, number) == 1)
			bits |= bit_of(number);
	return bits & ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
}

static void add_bits(sigset_t *set, uint32_t bits)
{
	for (int number = 1; number <= STANDARD_MOST; number++)
		if (bits & bit_of(number))
			sigaddset(set, number);
}

void hosted_task_mask(sigset_t *blocked, const sigset_t *others)
{
	const struct arch_kept *kept = control_keep_signals();
	*blocked = *others;
	add_bits(blocked, kept ? kept->blocked : 0);
}

void hosted_signals_pend(uint32_t numbers)
{
	struct arch_kept *kept = control_keep_signals();
	for (; numbers; numbers &= numbers - 1)
		if (heddle_thread_pend)
			heddle_thread_pend(first_of(numbers));
		else if (kept)
			kept->pending |= bit_of(first_of(numbers));
}

/* The host's kernel has sent it for a call of the running task. */
bool hosted_signal_of_call(const siginfo_t *information, ucontext_t *context)
{
	sigset_t blocked;
	(void)context;
	if (!task_runs() || !hosted_signals_of_task(&blocked) ||
	    sigismember(&blocked, information->si_signo) != 1)
		return false;
	hosted_signals_pend(bit_of(information->si_signo));
	return true;
}

static int mask_change(struct arch_kept *kept, int how, const sigset_t *set)
{
	uint32_t bits = bits_of(set);
	if (how == SIG_BLOCK)
		kept->blocked |= bits;
	else if (how == SIG_UNBLOCK)
		kept->blocked &= ~bits;
	else if (how == SIG_SETMASK)
		kept->blocked = bits;
	else
		return EINVAL;
	let_in_pending(kept);
	return 0;
}

int hosted_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	/* A child of fork() has no machine, and nothing but its thread's mask. */
	struct arch_kept *kept = hosted_is_processor() ? control_keep_signals() : NULL;
	if (!kept)
		return pthread_sigmask(how, set, old);
	uint32_t before = kept->blocked;
	int error = set ? mask_change(kept, how, set) : 0;
	if (error == 0 && old) {
		sigemptyset(old);
		add_bits(old, before);
	}
	return error;
}

int hosted_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int error = hosted_pthread_sigmask(how, set, old);
	if (error != 0)
		errno = error;
	return error == 0 ? 0 : -1;
}

int hosted_sigpending(sigset_t *set)
{
	const struct arch_kept *kept = control_keep_signals();
	int result = sigpending(set);
	if (result == 0 && kept)
		add_bits(set, kept->pending);
	return result;
}

/* ---------------------------------------------------------------------------------------------- wait -- */

int hosted_sigsuspend(const sigset_t *set)
{
	struct arch_kept *kept = control_keep_signals();
	if (!kept || !(kept->pending & ~bits_of(set)))
		return sigsuspend(set);
	uint32_t blocked = kept->blocked;
	kept->blocked = bits_of(set);
	let_in_pending(kept);
	kept->blocked = blocked;
	errno = EINTR;
	return -1;
}

/* Now the host is sent one of these signals that the task has sent itself; it stays pending there. */
static void pending_send(const sigset_t *set)
{
	struct arch_kept *kept = control_keep_signals();
	uint32_t due = kept ? kept->pending & bits_of(set) : 0;
	if (due == 0)
		return;
	kept->pending &= ~bit_of(first_of(due));
	raise(first_of(due));
}

int hosted_sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *time)
{
	sigset_t before;
	pthread_sigmask(SIG_BLOCK, set, &before);
	pending_send(set);
	int number = sigtimedwait(set, information, time);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return number;
}

int hosted_sigwaitinfo(const sigset_t *set, siginfo_t *information)
{
	return hosted_sigtimedwait(set, information, NULL);
}

int hosted_sigwait(const sigset_t *set, int *number)
{
	int found;
	do
		found = hosted_sigtimedwait(set, NULL, NULL);
	while (found < 0 && errno == EINTR);
	if (found < 0)
		return errno;
	*number = found;
	return 0;
}
