/*
 * Turns of the storm: conditions. A buffer of some places behind a mutex, which some tasks fill and others empty; and
 * a condition that many wait for, each with its own mutex.
 */
#include "heddle/condition.h"
#include "user/test/storm.h"

#define PLACES  3
#define MUTEXES 4

static struct mutex monitor;
static struct condition not_full, not_empty;
static uint64_t put, taken; /* ever, in the monitor */

static struct mutex mutexes[MUTEXES];
static struct task *inside[MUTEXES];
static struct condition news;
static _Atomic uint64_t published;

static bool prepare(void)
{
	monitor = (struct mutex)HEDDLE_MUTEX_INITIALIZER;
	not_full = not_empty = news = (struct condition)HEDDLE_CONDITION_INITIALIZER;
	put = taken = 0;
	for (unsigned i = 0; i < MUTEXES; i++)
		mutexes[i] = (struct mutex)HEDDLE_MUTEX_INITIALIZER;
	return true;
}

static bool lock(struct storm_task *self, struct mutex *mutex)
{
	return STORM_GIVES(STORM_CALL(self, mutex_lock(mutex)), storm_waits(HEDDLE_NO_DEADLINE));
}

static bool is_over(void)
{
	return atomic_load_explicit(&storm.over, memory_order_relaxed);
}

static void use_monitor(struct storm_task *self, bool puts)
{
	if (!lock(self, &monitor))
		return;
	while (put - taken == (puts ? PLACES : 0) && !is_over()) {
		uint64_t deadline = storm_deadline(self);
		if (!STORM_GIVES(
		        STORM_CALL(self, condition_wait_until(puts ? &not_full : &not_empty, &monitor, deadline)),
		        storm_waits(deadline)))
			break;
	}
	STORM_CHECK(put - taken <= PLACES);
	bool possible = put - taken != (puts ? PLACES : 0);
	if (possible && puts)
		put++;
	else if (possible)
		taken++;
	if (possible)
		STORM_OK(storm_draw(self, 8) ? condition_notify_one(puts ? &not_empty : &not_full)
		                             : condition_notify_all(puts ? &not_empty : &not_full));
	STORM_OK(STORM_CALL(self, mutex_unlock(&monitor)));
	/* The wait may have used up a notification. */
	if (!possible)
		STORM_OK(condition_notify_one(puts ? &not_full : &not_empty));
}

static void await_news(struct storm_task *self, uint32_t which)
{
	uint64_t seen = atomic_load_explicit(&published, memory_order_relaxed), deadline = storm_deadline(self);
	if (!lock(self, &mutexes[which]))
		return;
	STORM_CHECK(inside[which] == NULL);
	while (atomic_load_explicit(&published, memory_order_relaxed) == seen && !is_over())
		if (!STORM_GIVES(STORM_CALL(self, condition_wait_until(&news, &mutexes[which], deadline)),
		                 storm_waits(deadline)))
			break;
	inside[which] = task_current();
	storm_dawdle(self);
	STORM_CHECK(inside[which] == task_current());
	inside[which] = NULL;
	STORM_OK(STORM_CALL(self, mutex_unlock(&mutexes[which])));
}

static void publish(void)
{
	atomic_fetch_add_explicit(&published, 1, memory_order_relaxed);
	STORM_OK(condition_notify_all(&news));
}

static void turn(struct storm_task *self)
{
	switch (storm_draw(self, 4)) {
	case 0:
		use_monitor(self, true);
		break;
	case 1:
		use_monitor(self, false);
		break;
	case 2:
		await_news(self, storm_draw(self, MUTEXES));
		break;
	case 3:
		publish();
		break;
	}
}

static void release(void)
{
	condition_notify_all(&not_full);
	condition_notify_all(&not_empty);
	publish();
}

static void finish(void)
{
	STORM_CHECK(put - taken <= PLACES);
	STORM_OK(condition_destroy(&not_full));
	STORM_OK(condition_destroy(&not_empty));
	STORM_OK(condition_destroy(&news));
	STORM_OK(mutex_destroy(&monitor));
	for (unsigned i = 0; i < MUTEXES; i++)
		STORM_OK(mutex_destroy(&mutexes[i]));
}

const struct storm_kind storm_monitor = {
    .name = "monitor", .weight = 5, .prepare = prepare, .turn = turn, .release = release, .finish = finish};
