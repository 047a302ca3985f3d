/* Handlers of signals that a thread sends itself: they run in the thread, and may leave by siglongjmp(). */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

static sigjmp_buf target;
static volatile int ran, blocks_other, blocks_own;
static pthread_t ran_in;

static int blocks(int number)
{
	sigset_t set;
	CHECK_EQUAL(pthread_sigmask(SIG_BLOCK, NULL, &set), 0);
	return sigismember(&set, number);
}

static void note(int number)
{
	ran++;
	ran_in = pthread_self();
	blocks_own = blocks(number);
	blocks_other = blocks(SIGUSR2);
}

static void jump(int number)
{
	note(number);
	siglongjmp(target, number);
}

static void note_information(int number, siginfo_t *information, void *context)
{
	note(number);
	CHECK_EQUAL(information->si_signo, number);
	CHECK_EQUAL(information->si_pid, getpid());
	CHECK(context);
}

static void set_handler(void (*handler)(int), int flags, int other)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigemptyset(&action.sa_mask);
	if (other)
		sigaddset(&action.sa_mask, other);
	CHECK_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
}

/* ----------------------------------------------------------------------------------------------- jumps -- */

static void jumps(int keeps)
{
	volatile int caught = 0, before = ran;
	set_handler(jump, 0, 0);
	for (volatile int i = 0; i < 5; i++) {
		if (sigsetjmp(target, keeps) == 0)
			raise(SIGUSR1);
		else
			caught++;
		CHECK_EQUAL(blocks(SIGUSR1), !keeps);
	}
	printf("ran %d, caught %d\n", ran - before, caught);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	/* The handler of one that is pending blocks it again, and leads here. */
	(void)sigsetjmp(target, 0);
	CHECK_EQUAL(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
	CHECK_EQUAL(blocks(SIGUSR1), 0);
}

/* What was blocked when the buffer was made is blocked again. */
static void *jump_with_mask(void *unused)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	CHECK_EQUAL(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	if (sigsetjmp(target, 1) == 0) {
		CHECK_EQUAL(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
		CHECK_EQUAL(pthread_kill(pthread_self(), SIGUSR1), 0);
		CHECK(0);
	}
	CHECK_EQUAL(blocks(SIGUSR2), 1);
	CHECK_EQUAL(blocks(SIGUSR1), 0);
	CHECK(pthread_equal(ran_in, pthread_self()));
	return unused;
}

/* -------------------------------------------------------------------------------------------- handlers -- */

static void *send_oneself(void *unused)
{
	sigset_t set;
	int before = ran;
	set_handler(note, 0, SIGUSR2);
	CHECK_EQUAL(raise(SIGUSR1), 0);
	CHECK_EQUAL(ran, before + 1);
	CHECK(blocks_own && blocks_other && pthread_equal(ran_in, pthread_self()));
	CHECK(!blocks(SIGUSR1) && !blocks(SIGUSR2));
	set_handler(note, SA_NODEFER, 0);
	CHECK_EQUAL(pthread_kill(pthread_self(), SIGUSR1), 0);
	CHECK_EQUAL(ran, before + 2);
	CHECK(!blocks_own && !blocks_other);

	/* It is blocked, stays pending, and comes when it is let in. */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	CHECK_EQUAL(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	CHECK_EQUAL(raise(SIGUSR1), 0);
	CHECK_EQUAL(ran, before + 2);
	CHECK_EQUAL(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
	CHECK_EQUAL(ran, before + 3);
	CHECK(pthread_equal(ran_in, pthread_self()));

	struct sigaction action = {.sa_sigaction = note_information,
	                           .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND)},
	                 now;
	sigemptyset(&action.sa_mask);
	CHECK_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
	CHECK_EQUAL(raise(SIGUSR1), 0);
	CHECK_EQUAL(ran, before + 4);
	CHECK_EQUAL(sigaction(SIGUSR1, NULL, &now), 0);
	CHECK(now.sa_handler == SIG_DFL);
	CHECK_EQUAL(signal(SIGUSR1, SIG_IGN) == SIG_DFL, 1);
	CHECK_EQUAL(raise(SIGUSR1), 0);
	CHECK_EQUAL(ran, before + 4);
	return unused;
}

static void run(void *(*function)(void *), const char *name)
{
	pthread_t thread;
	CHECK_EQUAL(pthread_create(&thread, NULL, function, NULL), 0);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);
	printf("%s\n", name);
}

int main(void)
{
	jumps(1);
	jumps(0);
	set_handler(jump, 0, 0);
	run(jump_with_mask, "a mask");
	run(send_oneself, "handlers");
	return 0;
}
