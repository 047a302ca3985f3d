/*
 * Signals that are sent to one thread, and waits for signals. What a thread blocks stays pending for it, also while it
 * waits for that: no other thread that waits for the same can take it.
 */
#include <errno.h>
#include <unistd.h>

#include "arch/hosted/instead.h"
#include "heddle/blocking.h"
#include "heddle/host.h"
#include "heddle/lock.h"
#include "heddle/system.h"
#include "user/posix/clock.h"
#include "user/posix/signals.h"
#include "user/posix/table.h"

/* Called by their addresses: their names mean the functions defined below. */
static int (*const volatile host_wait)(const sigset_t *set, siginfo_t *information,
                                       const struct timespec *time) = sigtimedwait;
static int (*const volatile host_raise)(int number) = raise;
static int (*const volatile host_pending)(sigset_t *set) = sigpending;

int heddle_sigpending(sigset_t *set);
int heddle_sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *time);
int heddle_sigwaitinfo(const sigset_t *set, siginfo_t *information);
int heddle_sigwait(const sigset_t *set, int *number);
int heddle_raise(int number);

static bool takes(const struct thread *thread, int number)
{
	return sigismember(&thread->blocked, number) == 0 &&
	       !(thread->awaited && sigismember(thread->awaited, number) == 1);
}

/* Whether there is such a thread and such a signal. If the thread does not take the signal now, it stays pending for
 * it: *due is false. */
static int send_to(pthread_t number, int signal_number, bool *due)
{
	int error = 0;
	thread_lock();
	struct thread *thread = thread_find(number);
	if (!thread)
		error = ESRCH;
	else if (signal_number < 0 || signal_number >= NSIG)
		error = EINVAL;
	*due = error == 0 && signal_number > 0 && takes(thread, signal_number);
	if (error == 0 && signal_number > 0 && !*due)
		sigaddset(&thread->pending, signal_number);
	thread_unlock();
	return error;
}

int pthread_kill(pthread_t number, int signal_number)
{
	bool due;
	int error = send_to(number, signal_number, &due);
	if (!due)
		return error;
	if (heddle_calling_task() && number == pthread_self())
		return signals_deliver(signal_number);
	return kill(getpid(), signal_number) != 0 ? errno : error;
}

/* If the signal is blocked, the value is lost. */
int pthread_sigqueue(pthread_t number, int signal_number, const union sigval value)
{
	bool due;
	int error = send_to(number, signal_number, &due);
	return due && sigqueue(getpid(), signal_number, value) != 0 ? errno : error;
}

int heddle_sigpending(sigset_t *set)
{
	struct thread *thread = thread_current_or_none();
	sigset_t process;
	if (host_pending(&process) != 0)
		return -1;
	*set = process;
	if (thread) {
		thread_lock();
		signals_gather(thread);
		sigorset(set, &process, &thread->pending);
		thread_unlock();
	}
	return 0;
}

/* The first signal of the set that was sent to the thread; 0: none, and from now on it waits for those of `awaited`. */
static int take_sent(struct thread *thread, const sigset_t *set, const sigset_t *awaited)
{
	int found = 0;
	thread_lock();
	signals_gather(thread);
	for (int number = 1; number < NSIG && !found; number++)
		if (sigismember(&thread->pending, number) == 1 && sigismember(set, number) == 1)
			found = number;
	if (found)
		sigdelset(&thread->pending, found);
	else
		thread->awaited = awaited;
	thread_unlock();
	return found;
}

static int begin_wait(struct thread *thread, const sigset_t *set)
{
	int found = take_sent(thread, set, set);
	if (!found)
		signals_await(set);
	return found;
}

/* Returns the signal: `number`, which the host has given, or one that was sent to the thread meanwhile. */
static intptr_t end_wait(struct thread *thread, intptr_t number)
{
	const sigset_t *set = thread->awaited;
	int sent = number < 0 ? take_sent(thread, set, NULL) : 0;
	thread_lock();
	thread->awaited = NULL;
	thread_unlock();
	signals_await_no_more(set);
	return sent ? sent : number;
}

struct signal_wait {
	const sigset_t *set;
	siginfo_t *information;
	const struct timespec *time;
};

/* Nanoseconds, after which the thread looks whether it was cancelled, or was sent a signal alone: at first, and at
 * most. */
#define SLICE_FIRST UINT64_C(1000000)
#define SLICE_MOST  UINT64_C(50000000)

/* The signal, or the negative error. */
static intptr_t wait_in_host(void *argument)
{
	const struct signal_wait *wait = argument;
	int number = host_wait(wait->set, wait->information, wait->time);
	return number >= 0 ? number : -errno;
}

static bool was_sent_any(struct thread *thread, const sigset_t *set)
{
	sigset_t both;
	thread_lock();
	signals_gather(thread);
	sigandset(&both, &thread->pending, set);
	thread_unlock();
	return !sigisemptyset(&both);
}

/* The same by a thread that is no processor, so that only the task waits. */
static intptr_t wait_until(struct thread *thread, struct signal_wait wait, uint64_t deadline)
{
	intptr_t number = -EAGAIN;
	uint64_t now = heddle_clock(), longest = SLICE_FIRST;
	while (number == -EAGAIN && !thread_is_to_end() && !was_sent_any(thread, wait.set)) {
		uint64_t rest = deadline > now ? deadline - now : 0;
		struct timespec slice = {0, (long)(rest < longest ? rest : longest)};
		longest = 2 * longest < SLICE_MOST ? 2 * longest : SLICE_MOST;
		wait.time = &slice;
		if (heddle_blocking(wait_in_host, &wait, &number) != HEDDLE_OK)
			return -ENOMEM;
		now = heddle_clock();
		if (number == -EAGAIN && now >= deadline)
			break;
	}
	return number;
}

int heddle_sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *time)
{
	struct thread *thread = thread_current();
	if (!heddle_calling_task() || !thread)
		return host_wait(set, information, time);
	if (time && (time->tv_sec < 0 || !limit_is_valid((struct limit){CLOCK_MONOTONIC, time})))
		return failed_with(EINVAL);
	struct timespec end = time ? clock_after(time) : (struct timespec){0};
	thread_test_cancel();
	intptr_t number = begin_wait(thread, set), by_host = -EAGAIN;
	if (!number) {
		uint64_t deadline = limit_deadline((struct limit){CLOCK_MONOTONIC, time ? &end : NULL});
		by_host = wait_until(thread, (struct signal_wait){set, information, NULL}, deadline);
		number = end_wait(thread, by_host);
		thread_test_cancel();
	}
	if (number > 0 && by_host < 0 && information)
		*information = (siginfo_t){.si_signo = (int)number, .si_code = SI_TKILL};
	return number >= 0 ? (int)number : failed_with((int)-number);
}

int heddle_sigwaitinfo(const sigset_t *set, siginfo_t *information)
{
	return heddle_sigtimedwait(set, information, NULL);
}

int heddle_sigwait(const sigset_t *set, int *number)
{
	int found;
	do
		found = heddle_sigtimedwait(set, NULL, NULL);
	while (found < 0 && errno == EINTR);
	if (found < 0)
		return errno;
	*number = found;
	return 0;
}

/* The host's thread on which the task runs has the signal blocked. */
int heddle_raise(int number)
{
	if (!heddle_calling_task())
		return host_raise(number);
	int error = pthread_kill(pthread_self(), number);
	signals_take();
	errno = error ? error : errno;
	return error ? -1 : 0;
}

INSTEAD_OF(sigtimedwait);
INSTEAD_OF(sigwaitinfo);
INSTEAD_OF(sigwait);
INSTEAD_OF(raise);
INSTEAD_OF(sigpending);
