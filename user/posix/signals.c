#include "user/posix/signals.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "arch/hosted/instead.h"
#include "heddle/host.h"
#include "heddle/system.h"
#include "user/posix/table.h"

/* Called by their addresses: their names mean the functions defined below. */
static int (*const volatile host_mask)(int how, const sigset_t *set, sigset_t *old) = sigprocmask;

static uint32_t living;                         /* threads, */
static uint32_t blocking[NSIG], awaiting[NSIG]; /* and how many of them block each signal, or wait for it */
static sigset_t at_start;
static int changed = -1; /* a descriptor to read when the above has changed */

/* Changes, and how many of them the thread that takes signals has seen. */
static _Atomic uint64_t changes, seen;

/* Announce a change; returns its number. */
static uint64_t tell(void)
{
	const uint64_t one = 1;
	uint64_t number = atomic_fetch_add_explicit(&changes, 1, memory_order_release) + 1;
	if (write(changed, &one, sizeof(one)) < 0)
		thread_give_up("pthread_sigmask()", "cannot reach the thread that takes signals");
	return number;
}

#define LOOK_AGAIN 20000 /* nanoseconds */

/* From now on no signal is taken that an earlier change has blocked. */
void signals_take(void)
{
	uint64_t number = tell();
	/* acquire: the set that it uses is not older, from signals_serve(). */
	while (atomic_load_explicit(&seen, memory_order_acquire) < number)
		task_sleep_until(heddle_clock() + LOOK_AGAIN);
}

static void count(uint32_t *threads, const sigset_t *set, uint32_t by)
{
	for (int number = 1; number < NSIG; number++)
		if (sigismember(set, number) == 1)
			__atomic_fetch_add(&threads[number], by, __ATOMIC_RELAXED);
}

/* Count what it blocks first: left_alone() may look meanwhile, and must not take a signal that all threads block. */
void signals_begin(const struct thread *thread)
{
	count(blocking, &thread->blocked, 1);
	__atomic_fetch_add(&living, 1, __ATOMIC_RELEASE);
}

/* The signals that are not taken here. */
static sigset_t left_alone(void)
{
	sigset_t set;
	/* acquire: those that block, from signals_begin. */
	uint32_t all = __atomic_load_n(&living, __ATOMIC_ACQUIRE);
	if (all == 0) /* main() is about to begin */
		return at_start;
	sigemptyset(&set);
	for (int number = 1; number < NSIG; number++)
		if (__atomic_load_n(&blocking[number], __ATOMIC_RELAXED) >= all ||
		    __atomic_load_n(&awaiting[number], __ATOMIC_RELAXED) > 0)
			sigaddset(&set, number);
	return set;
}

/* All threads that are left may block what this one did not. */
void signals_end(const struct thread *thread)
{
	__atomic_fetch_sub(&living, 1, __ATOMIC_RELAXED);
	count(blocking, &thread->blocked, (uint32_t)-1);
	sigset_t left = left_alone();
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&left, number) == 1 && sigismember(&thread->blocked, number) == 0) {
			tell();
			return;
		}
}

bool signals_start(void)
{
	sigset_t all;
	sigfillset(&all);
	host_mask(SIG_SETMASK, &all, &at_start);
	changed = eventfd(0, EFD_CLOEXEC);
	return changed >= 0;
}

sigset_t signals_at_start(void)
{
	return at_start;
}

_Noreturn void signals_serve(void)
{
	const struct timespec at_once = {0, 0};
	sigset_t set = at_start;
	for (;;) {
		/* A signal that was sent while a thread did not block it is taken, even if that thread has ended since. */
		ppoll(NULL, 0, &at_once, &set);
		/* All signals are blocked here. A change from now on is announced, and ends the poll. */
		uint64_t number = atomic_load_explicit(&changes, memory_order_acquire);
		set = left_alone();
		atomic_store_explicit(&seen, number, memory_order_release);
		struct pollfd descriptor = {.fd = changed, .events = POLLIN};
		uint64_t told;
		if (ppoll(&descriptor, 1, NULL, &set) > 0 && read(changed, &told, sizeof(told)) < 0)
			thread_give_up("pthread_sigmask()", "cannot wait for what changes");
	}
}

void signals_await(const sigset_t *set)
{
	count(awaiting, set, 1);
	signals_take();
}

void signals_await_no_more(const sigset_t *set)
{
	count(awaiting, set, (uint32_t)-1);
	tell();
}

/* Called by Heddle for the calling task (arch/hosted/signals.h). */
void heddle_thread_mask(sigset_t *blocked);
void heddle_thread_pend(int number);

void heddle_thread_mask(sigset_t *blocked)
{
	const struct thread *thread = thread_current_or_none();
	*blocked = thread ? thread->blocked : at_start;
}

/* In a handler of signals, too, which must not wait for the lock. */
void heddle_thread_pend(int number)
{
	struct thread *thread = thread_current_or_none();
	if (thread)
		atomic_fetch_or_explicit(&thread->caused, UINT32_C(1) << (number - 1), memory_order_relaxed);
}

void signals_gather(struct thread *thread)
{
	uint32_t caused = atomic_exchange_explicit(&thread->caused, 0, memory_order_relaxed);
	for (; caused; caused &= caused - 1)
		sigaddset(&thread->pending, __builtin_ctz(caused) + 1);
}

void signals_child(const struct thread *thread)
{
	if (thread)
		host_mask(SIG_SETMASK, &thread->blocked, NULL);
}

/* ------------------------------------------------------------------------------------------- functions -- */

/* What is blocked after `set` is applied. */
static int apply(int how, const sigset_t *set, sigset_t *blocked)
{
	sigset_t before = *blocked;
	switch (how) {
	case SIG_BLOCK:
		sigorset(blocked, &before, set);
		return 0;
	case SIG_SETMASK:
		*blocked = *set;
		return 0;
	case SIG_UNBLOCK:
		for (int number = 1; number < NSIG; number++)
			if (sigismember(set, number) == 1)
				sigdelset(blocked, number);
		return 0;
	default:
		return EINVAL;
	}
}

/* Send the signals that are pending for the thread and no longer blocked. */
static void send_pending(struct thread *thread)
{
	for (int number = 1; number < NSIG; number++) {
		thread_lock();
		signals_gather(thread);
		bool due = sigismember(&thread->pending, number) == 1 && sigismember(&thread->blocked, number) == 0;
		if (due)
			sigdelset(&thread->pending, number);
		thread_unlock();
		if (due)
			signals_deliver(number);
	}
}

static int mask_change(struct thread *thread, int how, const sigset_t *set)
{
	sigset_t blocked = thread->blocked;
	int error = apply(how, set, &blocked);
	if (error != 0)
		return error;
	sigdelset(&blocked, SIGKILL);
	sigdelset(&blocked, SIGSTOP);
	thread_lock();
	if (thread->counts) {
		count(blocking, &blocked, 1); /* first, as in signals_begin() */
		count(blocking, &thread->blocked, (uint32_t)-1);
	}
	thread->blocked = blocked;
	thread_unlock();
	signals_take();
	send_pending(thread);
	signals_take(); /* take what was pending and is no longer blocked */
	return 0;
}

int heddle_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	if (!heddle_calling_task())
		return host_mask(how, set, old) == 0 ? 0 : errno;
	struct thread *thread = thread_current();
	if (!thread)
		return ENOMEM;
	sigset_t before = thread->blocked;
	int error = set ? mask_change(thread, how, set) : 0;
	if (error == 0 && old)
		*old = before;
	return error;
}

int heddle_sigprocmask(int how, const sigset_t *set, sigset_t *old);

int heddle_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int error = heddle_pthread_sigmask(how, set, old);
	return error == 0 ? 0 : failed_with(error);
}

INSTEAD_OF(sigprocmask);
