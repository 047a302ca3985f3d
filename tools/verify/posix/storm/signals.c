/*
 * Signals: their handlers run as often as they are sent, if each is queued; a thread that waits for a signal takes what
 * is sent to it, and no other thread does.
 */
#include "storm.h"

#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static _Atomic unsigned long sent, handled;
/* Two signals that are queued; threads that wait for `awaited` block it. */
static _Atomic int counted, awaited;
static sem_t from_handler;

/* Its value, if it has one, is where those are counted that have not come. */
static void handle(int number, siginfo_t *information, void *context)
{
	(void)context;
	if (number != counted)
		storm_wrong(__FILE__, __LINE__, "only this signal has a handler", "another came");
	int before = errno;
	/* acquire: the sender's counter; the host orders both as well, but a sanitizer does not see it. */
	CHECK(atomic_load_explicit(&sent, memory_order_acquire) > 0);
	atomic_fetch_add(&handled, 1);
	if (information->si_code == SI_QUEUE)
		atomic_fetch_sub((_Atomic unsigned *)information->si_value.sival_ptr, 1);
	sem_post(&from_handler);
	errno = before;
}

static void prepare(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_RESTART | SA_SIGINFO};
	counted = SIGRTMIN + 1;
	awaited = SIGRTMIN + 2;
	CHECK(sem_init(&from_handler, 0, 0) == 0);
	CHECK(sigemptyset(&action.sa_mask) == 0);
	CHECK(sigaction(counted, &action, NULL) == 0);
}

/* The host's queue may be full. It is counted first: pairs with handle(). */
static void send(struct self *self, pthread_t thread)
{
	atomic_fetch_add(&sent, 1);
	while (GIVES(self, pthread_kill(thread, counted), 0, EAGAIN) != 0)
		usleep(100);
}

static void wait_for_handler(struct self *self)
{
	while (GIVES(self, ERROR(sem_wait(&from_handler)), 0, EINTR) != 0)
		continue;
	atomic_fetch_add(&storm.signals, 1);
}

/* What is pending for a thread that ends is lost, so it stays until all has come. */
static void *receive(void *argument)
{
	struct child *child = argument;
	_Atomic unsigned *due = child->shared;
	while (atomic_load(due) > 0) {
		dawdle(&child->self);
		sched_yield();
	}
	return child;
}

static void send_to_child(struct self *self)
{
	struct child child;
	unsigned count = 1 + draw(self, 4);
	_Atomic unsigned due; /* that have not come */
	atomic_store(&due, count);
	children_begin(self, &child, 1, receive, &due);
	OK(self, pthread_kill(child.thread, 0));
	for (unsigned i = 0; i < count; i++) {
		union sigval value = {.sival_ptr = &due};
		atomic_fetch_add(&sent, 1);
		while (GIVES(self, pthread_sigqueue(child.thread, counted, value), 0, EAGAIN) != 0)
			usleep(100);
	}
	children_end(self, &child, 1);
}

static void send_to_oneself(struct self *self)
{
	send(self, pthread_self());
	wait_for_handler(self);
}

/* It stays pending while the thread blocks it. */
static void send_while_blocked(struct self *self)
{
	sigset_t set, old, pending;
	CHECK(sigemptyset(&set) == 0 && sigaddset(&set, counted) == 0);
	OK(self, pthread_sigmask(SIG_BLOCK, &set, &old));
	send(self, pthread_self());
	OK(self, ERROR(sigpending(&pending)));
	CHECK(sigismember(&pending, counted) == 1);
	OK(self, pthread_sigmask(SIG_SETMASK, &old, NULL));
	wait_for_handler(self);
}

static void *await(void *argument)
{
	struct child *child = argument;
	struct timespec time = {.tv_sec = 1000};
	siginfo_t information;
	sigset_t set;
	int number = 0;
	CHECK(sigemptyset(&set) == 0 && sigaddset(&set, awaited) == 0);
	dawdle(&child->self);
	if (draw(&child->self, 2)) {
		OK(&child->self, sigwait(&set, &number));
	} else {
		do
			number = sigtimedwait(&set, &information, &time);
		while (number < 0 && errno == EINTR);
		CHECK(number == awaited);
	}
	CHECK(number == awaited);
	return child;
}

static void send_to_waiting(struct self *self)
{
	struct child children[2];
	unsigned count = 1 + draw(self, 2);
	sigset_t set, old;
	CHECK(sigemptyset(&set) == 0 && sigaddset(&set, awaited) == 0);
	OK(self, pthread_sigmask(SIG_BLOCK, &set, &old));
	children_begin(self, children, count, await, NULL);
	OK(self, pthread_sigmask(SIG_SETMASK, &old, NULL));
	dawdle(self);
	for (unsigned i = 0; i < count; i++)
		while (GIVES(self, pthread_kill(children[i].thread, awaited), 0, EAGAIN) != 0)
			continue;
	children_end(self, children, count);
	atomic_fetch_add(&storm.signals, count);
}

static void turn(struct self *self)
{
	switch (draw(self, 3)) {
	case 0:
		send_to_child(self);
		break;
	case 1:
		send_to_oneself(self);
		break;
	default:
		send_while_blocked(self);
	}
}

/* The last ones may still be under way. */
static void finish(void)
{
	for (unsigned long i = 0; atomic_load(&handled) < atomic_load(&sent); i++) {
		struct timespec time = {.tv_nsec = 1000000};
		nanosleep(&time, NULL);
		CHECK(i < 100000);
	}
	CHECK(atomic_load(&handled) == atomic_load(&sent));
}

const struct kind kind_signals = {
    .name = "signals", .weight = 2, .prepare = prepare, .turn = turn, .finish = finish};
const struct kind kind_sigwait = {.name = "sigwait", .weight = 1, .turn = send_to_waiting};
