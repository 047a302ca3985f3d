/*
 * A buffer of some places behind a mutex, which some threads fill and others empty: no message is lost, doubled or out
 * of order. And a condition that many wait for, each with its own mutex at its own times.
 */
#include "storm.h"

#define PLACES 3

static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty;
static uint64_t buffer[PLACES];
static uint64_t put, taken; /* ever */

static pthread_mutex_t news_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static uint64_t published;

static void prepare(void)
{
	pthread_condattr_t attributes;
	CHECK(pthread_condattr_init(&attributes) == 0);
	CHECK(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
	CHECK(pthread_cond_init(&not_empty, &attributes) == 0);
	CHECK(pthread_condattr_destroy(&attributes) == 0);
}

/* Whether it was notified, or may have been. */
static bool wait(struct self *self, pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t own)
{
	struct timespec time;
	clockid_t clock = any_clock(self);
	switch (draw(self, storm.clocks ? 6 : 5)) {
	case 0:
		time = soon(self, own);
		return GIVES(self, pthread_cond_timedwait(condition, mutex, &time), 0, ETIMEDOUT) == 0;
	case 1:
		time = far_away(own);
		return OK(self, pthread_cond_timedwait(condition, mutex, &time)) == 0;
	case 5:
		time = soon(self, clock);
		return GIVES(self, pthread_cond_clockwait(condition, mutex, clock, &time), 0, ETIMEDOUT) == 0;
	default:
		return OK(self, pthread_cond_wait(condition, mutex)) == 0;
	}
}

static void notify(struct self *self, pthread_cond_t *condition)
{
	OK(self, draw(self, 8) ? pthread_cond_signal(condition) : pthread_cond_broadcast(condition));
}

static bool is_possible(bool puts)
{
	return put - taken != (puts ? PLACES : 0);
}

/* One that gives up passes on what it may have been notified of. */
static void use_monitor(struct self *self, bool puts)
{
	pthread_cond_t *own = puts ? &not_full : &not_empty, *other = puts ? &not_empty : &not_full;
	OK(self, pthread_mutex_lock(&monitor));
	while (!is_possible(puts) && !storm_is_over())
		if (!wait(self, own, &monitor, puts ? CLOCK_REALTIME : CLOCK_MONOTONIC))
			break;
	CHECK(put - taken <= PLACES);
	bool possible = is_possible(puts);
	if (possible && puts) {
		buffer[put % PLACES] = put;
		put++;
	} else if (possible) {
		CHECK(buffer[taken % PLACES] == taken);
		taken++;
	}
	if (possible && draw(self, 2)) {
		notify(self, other);
		OK(self, pthread_mutex_unlock(&monitor));
		return;
	}
	OK(self, pthread_mutex_unlock(&monitor));
	notify(self, possible ? other : own);
}

static void await_news(struct self *self)
{
	OK(self, pthread_mutex_lock(&news_mutex));
	uint64_t seen = published;
	while (published == seen && !storm_is_over())
		if (!wait(self, &news, &news_mutex, CLOCK_REALTIME))
			break;
	OK(self, pthread_mutex_unlock(&news_mutex));
}

static void publish(void)
{
	CHECK(pthread_mutex_lock(&news_mutex) == 0);
	published++;
	CHECK(pthread_mutex_unlock(&news_mutex) == 0);
	CHECK(pthread_cond_broadcast(&news) == 0);
}

static void turn(struct self *self)
{
	switch (draw(self, 8)) {
	case 0:
		await_news(self);
		break;
	case 1:
		publish();
		break;
	default:
		use_monitor(self, draw(self, 2));
	}
}

/* Wake whatever waits for what no other worker will do any more. */
static void release(void)
{
	CHECK(pthread_cond_broadcast(&not_full) == 0);
	CHECK(pthread_cond_broadcast(&not_empty) == 0);
	publish();
}

static void finish(void)
{
	CHECK(put - taken <= PLACES);
	CHECK(pthread_cond_destroy(&not_full) == 0);
	CHECK(pthread_cond_destroy(&not_empty) == 0);
	CHECK(pthread_cond_destroy(&news) == 0);
	CHECK(pthread_mutex_destroy(&monitor) == 0);
	CHECK(pthread_mutex_destroy(&news_mutex) == 0);
}

const struct kind kind_monitor = {
    .name = "monitor", .weight = 20, .prepare = prepare, .turn = turn, .release = release, .finish = finish};
