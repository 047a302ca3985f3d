#include "arch/hosted/signals.h"

#include <errno.h>
#include <pthread.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/system_call.h"

/* The signals that a machine takes. */
static struct taken {
	int number;
	signal_handler *handler;
	struct sigaction before; /* the program's */
	struct sigaction above;  /* what the program had installed over ours when the last machine ended, */
	bool is_covered;         /* if it had; it may pass signals on to ours */
} taken[] = {
    {.number = SIGILL, .handler = hosted_fault},
    {.number = SIGBUS, .handler = hosted_fault},
    {.number = SIGFPE, .handler = hosted_fault},
    {.number = SIGSEGV, .handler = hosted_fault},
    {.number = REQUEST_SIGNAL, .handler = hosted_request},
    {.number = SIGPIPE, .handler = hosted_signal_of_call},
    {.number = SIGXFSZ, .handler = hosted_signal_of_call},
};
static bool runs;        /* a machine: they are taken */
static sigset_t outside; /* what was blocked where it was started */

#define TAKEN (sizeof(taken) / sizeof(*taken))

/* initial-exec: the shared library consists of the same objects, and has no fixed offsets of thread-local
 * variables. */
static __attribute__((tls_model("initial-exec"))) _Thread_local bool is_processor;

bool hosted_is_processor(void)
{
	return is_processor;
}

/* ------------------------------------------------------------------------------------------- hand on -- */

/* sa_handler and sa_sigaction share one word. */
static bool has_handler(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

bool hosted_signal_has_handler(int number)
{
	for (size_t i = 0; i < TAKEN; i++)
		if (taken[i].number == number)
			return has_handler(&taken[i].before);
	return false;
}

/* As the kernel would have called it, except for the stack. */
static void call_handler(const struct sigaction *action, int number, siginfo_t *information, void *context)
{
	sigset_t blocked = action->sa_mask, open;
	if (!(action->sa_flags & SA_NODEFER))
		sigaddset(&blocked, number);
	pthread_sigmask(SIG_BLOCK, &blocked, &open);
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, information, context);
	else
		action->sa_handler(number);
	pthread_sigmask(SIG_SETMASK, &open, NULL);
}

bool hosted_signal_is_fault(const siginfo_t *information)
{
	return information->si_code > 0 &&
	       !(information->si_signo == SIGBUS && information->si_code == BUS_MCEERR_AO);
}

/* End the process by this signal: without our handler it comes again, here and now. */
static void end_by(int number, const siginfo_t *information)
{
	struct sigaction none = {.sa_handler = SIG_DFL};
	sigset_t own;
	sigaction(number, &none, NULL);
	if (hosted_signal_is_fault(information))
		return;
	/* Blocked until this handler has returned, so that the process ends where the signal came. */
	sigemptyset(&own);
	sigaddset(&own, number);
	pthread_sigmask(SIG_BLOCK, &own, NULL);
	uintptr_t process = (uintptr_t)system_call(SYS_getpid);
	uintptr_t thread = (uintptr_t)system_call(SYS_gettid);
	system_call(SYS_rt_tgsigqueueinfo, process, thread, (uintptr_t)number, (uintptr_t)information);
}

static void hand_on(struct taken *signal, siginfo_t *information, void *context)
{
	struct sigaction action = signal->before;
	if (has_handler(&action)) {
		if (action.sa_flags & SA_RESETHAND)
			signal->before = (struct sigaction){.sa_handler = SIG_DFL};
		call_handler(&action, signal->number, information, context);
	} else if (signal->number != REQUEST_SIGNAL &&
	           (action.sa_handler == SIG_DFL || hosted_signal_is_fault(information))) {
		/* The host's kernel also ignores SIG_IGN for a signal that an instruction causes. */
		end_by(signal->number, information);
	}
}

static void on_signal(int number, siginfo_t *information, void *context)
{
	int error = errno;
	struct taken *signal = taken;
	while (signal->number != number)
		signal++;
	if (!is_processor) {
		if (hosted_signal_is_fault(information))
			hosted_outside_fault((uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]);
		hand_on(signal, information, context);
	} else if (!signal->handler(information, context)) {
		uintptr_t limit = processor_interrupt_begin();
		hand_on(signal, information, context);
		processor_interrupt_end(limit);
	}
	errno = error;
}

/* ------------------------------------------------------------------------------- while no machine runs -- */

/* A function for tasks finds no processor then: the program learns which one it has called, and ends by this signal. */
static void on_fault_at_rest(int number, siginfo_t *information, void *context)
{
	if (hosted_signal_is_fault(information))
		hosted_fault_at_rest((uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]);
	end_by(number, information);
}

/* Only where the program has no handler of its own. */
__attribute__((constructor)) static void signals_rest(void)
{
	struct sigaction now;
	struct sigaction action = {.sa_sigaction = on_fault_at_rest, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, NULL, &now);
	if (now.sa_handler == SIG_DFL)
		sigaction(SIGSEGV, &action, NULL);
}

/* ----------------------------------------------------------------------------------- take, give back -- */

static bool is_handled_by(const struct sigaction *action, void (*handler)(int, siginfo_t *, void *))
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handler;
}

static bool is_ours(const struct sigaction *action)
{
	return is_handled_by(action, on_signal);
}

static bool is_same(const struct sigaction *one, const struct sigaction *other)
{
	return one->sa_handler == other->sa_handler;
}

static void take_for(struct taken *signal, const struct sigaction *before)
{
	signal->before = *before;
	signal->is_covered = false;
	/* SA_NODEFER: a fault's handler goes on elsewhere, and this thread's next fault must still arrive. */
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	/* An interrupted system call is restarted if the program wants that. */
	if (!has_handler(before) || (before->sa_flags & SA_RESTART))
		action.sa_flags |= SA_RESTART;
	sigemptyset(&action.sa_mask);
	sigaction(signal->number, &action, NULL);
}

/* The kernel does not even send it; and what is ignored is so in programs that are executed. */
static bool is_left_ignored(const struct taken *signal, const struct sigaction *now)
{
	return signal->handler == hosted_signal_of_call && now->sa_handler == SIG_IGN;
}

static void signals_take(struct taken *signal)
{
	struct sigaction now;
	sigaction(signal->number, NULL, &now);
	if (is_left_ignored(signal, &now))
		return;
	/* That handler may pass signals on to ours, and ours would pass them back for ever. */
	if (is_ours(&now) || (signal->is_covered && is_same(&now, &signal->above)))
		return;
	if (is_handled_by(&now, on_fault_at_rest))
		now = (struct sigaction){.sa_handler = SIG_DFL};
	take_for(signal, &now);
}

static void signals_give_back(struct taken *signal)
{
	struct sigaction now;
	sigaction(signal->number, NULL, &now);
	if (is_ours(&now)) {
		sigaction(signal->number, &signal->before, NULL);
		return;
	}
	signal->above = now;
	signal->is_covered = true;
}

int hosted_signals_action(int number, const struct sigaction *action, struct sigaction *old)
{
	struct taken *signal = taken;
	while (signal < taken + TAKEN && (signal->number != number || signal->handler != hosted_signal_of_call))
		signal++;
	struct sigaction now;
	if (!runs || signal == taken + TAKEN)
		return sigaction(number, action, old);
	sigaction(number, NULL, &now);
	if (is_ours(&now))
		now = signal->before;
	if (old)
		*old = now;
	if (action && is_left_ignored(signal, action))
		return sigaction(number, action, NULL);
	if (action)
		take_for(signal, action);
	return 0;
}

void hosted_signals_start(void)
{
	pthread_sigmask(SIG_SETMASK, NULL, &outside);
	runs = true;
	for (size_t i = 0; i < TAKEN; i++)
		signals_take(&taken[i]);
}

void hosted_signals_end(void)
{
	runs = false;
	for (size_t i = 0; i < TAKEN; i++)
		signals_give_back(&taken[i]);
	signals_rest();
}

/* ------------------------------------------------------------------------------------------- threads -- */

static __attribute__((tls_model("initial-exec"))) _Thread_local const sigset_t *helped;

/* The signals that a call may cause, of those that are blocked. False: none. */
static bool of_calls(const sigset_t *blocked, sigset_t *set)
{
	bool any = false;
	sigemptyset(set);
	for (size_t i = 0; i < TAKEN; i++)
		if (taken[i].handler == hosted_signal_of_call && sigismember(blocked, taken[i].number) == 1)
			any = sigaddset(set, taken[i].number) == 0;
	return any;
}

void hosted_signals_help(const sigset_t *blocked)
{
	const sigset_t *before = helped;
	sigset_t set;
	helped = blocked;
	if (blocked && of_calls(blocked, &set))
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (!blocked && before && of_calls(before, &set))
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

uint32_t hosted_signals_held(void)
{
	const struct timespec at_once = {0, 0};
	sigset_t set;
	uint32_t held = 0;
	if (!of_calls(helped, &set))
		return 0;
	for (int number; (number = sigtimedwait(&set, NULL, &at_once)) > 0;)
		held |= UINT32_C(1) << (number - 1);
	return held;
}

bool hosted_signals_of_task(sigset_t *blocked)
{
	if (helped)
		*blocked = *helped;
	else if (!is_processor)
		return false;
	else if (heddle_thread_mask)
		heddle_thread_mask(blocked);
	else
		hosted_task_mask(blocked, &outside);
	return true;
}

void hosted_signals_block(sigset_t *before)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

void hosted_signals_let_in(void)
{
	sigset_t open;
	sigemptyset(&open);
	for (size_t i = 0; i < TAKEN; i++)
		sigaddset(&open, taken[i].number);
	sigaddset(&open, SIGTRAP);
	sigaddset(&open, SIGSYS);
	pthread_sigmask(SIG_UNBLOCK, &open, NULL);
}

void hosted_signals_open(void)
{
	is_processor = true;
	hosted_signals_let_in();
}

void hosted_signals_close(void)
{
	is_processor = false;
	helped = NULL;
}
