/* What the cases of a deferred hand-over have in common: two mutexes, and what tasks do with them. */
#ifndef MODEL_DEFERRING_H
#define MODEL_DEFERRING_H

#include "script.h"

#include "heddle/semaphore.h"
#include "kernel/command_line.h"
#include "sched/owed.h"
#include "sched/scheduler.h"
#include "sync/mutex.h"

#define OK(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

static struct mutex mutex, other;
static struct semaphore semaphore;
static unsigned holders;
static bool over; /* a task has come to its end, which another one awaits */

static inline void prepare_mutex(struct mutex *prepared, const char *name)
{
	explore_name(prepared, sizeof *prepared, "%s", name);
	explore_ignore(&prepared->owner, sizeof prepared->owner);
	explore_ignore(&prepared->counters, sizeof prepared->counters);
	explore_ignore(&prepared->deferral.deferred, 2 * sizeof prepared->deferral.deferred);
	script_watch(&prepared->first, &prepared->counters);
	script_watch(&prepared->deferral, &prepared->deferral.deferred);
}

static inline void prepare(void)
{
	command_line.defer = 1;
	prepare_mutex(&mutex, "mutex");
	prepare_mutex(&other, "other");
	explore_ignore(&semaphore.counters, sizeof semaphore.counters);
}

static inline void prepare_one_in_a_row(void)
{
	prepare();
	command_line.chain = 1;
}

static inline const char *check(void)
{
	bool is_free = mutex.word == MUTEX_FREE && !mutex.first && other.word == MUTEX_FREE && !other.first;
	return is_free ? NULL : "a mutex is not free";
}

static inline void enter(void)
{
	OK(mutex_lock(&mutex));
	if (holders++)
		explore_fail("two tasks hold the mutex");
}

static inline void leave(void)
{
	holders--;
	OK(mutex_unlock(&mutex));
}

/* In the middle, if `act` is given, something that could end a deferral. */
static inline void use_and(void (*act)(void))
{
	enter();
	explore_pause();
	if (act)
		act();
	leave();
}

static inline void use(void)
{
	use_and(NULL);
}

static inline void use_other(void)
{
	static unsigned inside;
	OK(mutex_lock(&other));
	if (inside++)
		explore_fail("two tasks hold the other mutex");
	explore_pause();
	inside--;
	OK(mutex_unlock(&other));
}

/* A check while the task is uncooperative. */
static inline void come_to_check_inside(void)
{
	struct scheduler *scheduler = scheduler_current();
	explore_pause();
	if (scheduler->owed)
		owed_settle(scheduler);
}

static inline bool is_over(void *unused)
{
	(void)unused;
	return over;
}

/* ---- programs ---- */

static inline intptr_t lock(void *unused)
{
	(void)unused;
	use();
	return 0;
}

static inline intptr_t lock_each(void *unused)
{
	use_other();
	return lock(unused);
}

static inline intptr_t lock_and_tell(void *unused)
{
	lock(unused);
	over = true;
	return 0;
}

/* Runs until the owed task has run. */
static inline intptr_t acquire_and_await(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	model_yield_until(is_over, NULL);
	return 0;
}

#endif
