/*
 * A machine is started in a program with its own signal handlers: they must stay in effect.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>
#include <unistd.h>

#include <heddle/system.h>

#include "check.h"

static const int taken[] = {SIGILL, SIGBUS, SIGFPE, SIGSEGV, SIGURG, SIGPIPE, SIGXFSZ};

#define TAKEN (sizeof(taken) / sizeof(*taken))

static volatile sig_atomic_t count;
static volatile sig_atomic_t blocked_usr2, blocked_own;
static siginfo_t information;

static bool is_blocked(int number)
{
	sigset_t set;
	pthread_sigmask(SIG_BLOCK, NULL, &set);
	return sigismember(&set, number);
}

static void on_plain(int number)
{
	count++;
	blocked_own = is_blocked(number);
	blocked_usr2 = is_blocked(SIGUSR2);
}

static void on_full(int number, siginfo_t *given, void *context)
{
	on_plain(number);
	if (context)
		information = *given;
}

static void on_other(int number)
{
	(void)number;
	count += 100;
}

static struct sigaction plain(int flags)
{
	struct sigaction action = {.sa_handler = on_plain, .sa_flags = flags};
	return action;
}

static struct sigaction full(int flags)
{
	struct sigaction action = {.sa_sigaction = on_full, .sa_flags = SA_SIGINFO | flags};
	sigaddset(&action.sa_mask, SIGUSR2);
	return action;
}

/* ----------------------------------------------------------------------------------- what is blocked -- */

static intptr_t check_blocked(void *unused)
{
	(void)unused;
	for (int number = 1; number < SIGRTMAX; number++) {
		bool open = number == SIGTRAP || number == SIGSYS || number == SIGKILL || number == SIGSTOP;
		for (size_t i = 0; i < TAKEN; i++)
			open |= number == taken[i];
		if (number < 32 || number >= SIGRTMIN) /* those between belong to the C library */
			CHECK(is_blocked(number) == !open);
	}
	return 0;
}

static void run_blocked(void)
{
	sigset_t before, after;
	sigemptyset(&before);
	sigaddset(&before, SIGUSR1);
	sigaddset(&before, SIGSEGV);
	sigaddset(&before, SIGURG);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	for (int i = 0; i < 10; i++)
		CHECK(heddle_run(check_blocked, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int number = 1; number < SIGRTMIN; number++)
		CHECK(sigismember(&before, number) == sigismember(&after, number));
}

/* -------------------------------------------------------------------------------- before and after -- */

#define NUMBERS 32

static void actions_get(struct sigaction *actions)
{
	for (int number = 1; number < NUMBERS; number++)
		sigaction(number, NULL, &actions[number]);
}

static bool actions_are_same(const struct sigaction *one, const struct sigaction *other)
{
	for (int number = 1; number < NUMBERS; number++) {
		bool same = one[number].sa_handler == other[number].sa_handler &&
		            one[number].sa_flags == other[number].sa_flags;
		for (int i = 1; i < NUMBERS; i++)
			same &= sigismember(&one[number].sa_mask, i) == sigismember(&other[number].sa_mask, i);
		if (!same)
			return false;
	}
	return true;
}

static void check_raised(int number)
{
	count = 0;
	raise(number);
	CHECK(count == 1 && blocked_own);
	CHECK(blocked_usr2 == (number == SIGURG || number == SIGUSR2));
}

static void run_handlers(void)
{
	struct sigaction before[NUMBERS], after[NUMBERS];
	struct sigaction with_flags = full(SA_RESTART | SA_ONSTACK), simple = plain(0);
	for (size_t i = 0; i < TAKEN; i++)
		sigaction(taken[i], &with_flags, NULL);
	sigaction(SIGUSR1, &simple, NULL);
	sigaction(SIGUSR2, &simple, NULL);
	actions_get(before);
	for (int turn = 0; turn < 3; turn++) {
		CHECK(heddle_start("processors=2") == HEDDLE_OK);
		check_runs();
		check_raised(SIGUSR1);
		check_raised(SIGUSR2);
		check_raised(SIGURG);
		CHECK(information.si_pid == getpid() && information.si_code == SI_TKILL);
		CHECK(heddle_stop() == 0);
		actions_get(after);
		CHECK(actions_are_same(before, after));
		check_raised(SIGUSR1);
		check_raised(SIGURG);
	}
}

/* ---------------------------------------------------------------- handlers while the machine runs -- */

static struct sigaction below;

static void on_top(int number, siginfo_t *given, void *context)
{
	on_full(number, given, context);
	CHECK(count < 100); /* otherwise it would repeat for ever */
	if (below.sa_flags & SA_SIGINFO)
		below.sa_sigaction(number, given, context);
	else if (below.sa_handler != SIG_DFL && below.sa_handler != SIG_IGN)
		below.sa_handler(number);
}

static bool is_on_top(void)
{
	struct sigaction now;
	sigaction(SIGURG, NULL, &now);
	return now.sa_sigaction == on_top;
}

static void check_top(void)
{
	count = 0;
	raise(SIGURG);
	CHECK(count == 1);
}

static void run_later(void)
{
	struct sigaction top = {.sa_sigaction = on_top, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	sigaction(SIGURG, &top, &below);
	for (int turn = 0; turn < 3; turn++) {
		check_top();
		check_runs();
		CHECK(heddle_stop() == 0);
		CHECK(is_on_top());
		check_top();
		CHECK(heddle_start("processors=2") == HEDDLE_OK);
		CHECK(is_on_top());
	}
	CHECK(heddle_stop() == 0);
	/* The program restores the earlier action: that is what it found, which does nothing. */
	sigaction(SIGURG, &below, NULL);
	raise(SIGURG);
	signal(SIGURG, on_other);
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	check_runs();
	count = 0;
	raise(SIGURG);
	CHECK(count == 100);
	CHECK(heddle_stop() == 0);
	raise(SIGURG);
	CHECK(count == 200);
}

/* ------------------------------------------------------------------------- on a processor's thread -- */

#define SPUN   10
#define RAISED 1000
#define SETTLE UINT64_C(50000000) /* nanoseconds */

static atomic_uint ran;

static intptr_t count_up(void *unused)
{
	(void)unused;
	atomic_fetch_add(&ran, 1);
	return 0;
}

/* Reaches no check, and has ready tasks meanwhile: another processor requests these, with the same signal. */
static intptr_t spin(void *unused)
{
	struct task *tasks[SPUN];
	(void)unused;
	for (int i = 0; i < SPUN; i++)
		CHECK(task_create(&tasks[i], count_up, NULL, NULL) == HEDDLE_OK);
	uint64_t end = heddle_clock() + UINT64_C(10000000000);
	while (atomic_load(&ran) < SPUN && heddle_clock() < end)
		for (volatile int i = 0; i < 100000; i++)
			continue;
	unsigned shared = atomic_load(&ran);
	/* A request may still be on its way, and the host's kernel would merge the next signal with it. */
	for (end = heddle_clock() + SETTLE; heddle_clock() < end;)
		continue;
	for (int i = 0; i < RAISED; i++)
		raise(SIGURG);
	for (int i = 0; i < SPUN; i++)
		CHECK(task_join(tasks[i], NULL) == HEDDLE_OK);
	return shared;
}

static void run_urgent(void)
{
	struct sigaction action = full(SA_RESTART);
	sigset_t urgent;
	intptr_t shared = 0;
	sigaction(SIGURG, &action, NULL);
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_run(spin, NULL, &shared) == HEDDLE_OK);
	CHECK(shared == SPUN);
	CHECK(count == RAISED);
	/* To the process, in which only processors accept it. */
	sigemptyset(&urgent);
	sigaddset(&urgent, SIGURG);
	pthread_sigmask(SIG_BLOCK, &urgent, NULL);
	kill(getpid(), SIGURG);
	for (int i = 0; i < 10000 && count == RAISED; i++)
		usleep(1000);
	CHECK(count == RAISED + 1 && blocked_usr2 && information.si_code == SI_USER);
	check_runs();
	CHECK(heddle_stop() == 0);
}

int main(int count_of_arguments, char **arguments)
{
	static const struct check_case cases[] = {{"blocked", run_blocked},
	                                          {"handlers", run_handlers},
	                                          {"later", run_later},
	                                          {"urgent", run_urgent},
	                                          {0}};
	return check_main(cases, count_of_arguments, arguments);
}
