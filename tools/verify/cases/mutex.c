/* The mutex: lock, unlock, deadlines, cancellation, what is left in its queue, and its end. */
#include "plain.h"
#include "script.h"

#include "sync/mutex.h"

static struct mutex mutex, other; /* the second, so that a task has places in two queues */

static void prepare(void)
{
	plain_prepare(&mutex);
	explore_name(&mutex, sizeof mutex, "mutex");
	explore_name(&mutex.word, sizeof mutex.word, "mutex.word");
	script_watch(&mutex.first, &mutex.counters);
	explore_name(&other, sizeof other, "other");
	explore_ignore(&other.owner, sizeof other.owner);
	explore_ignore(&other.counters, sizeof other.counters);
}

static const char *check(void)
{
	bool is_free =
	    mutex_word_is_free(mutex.word) && !mutex.first && mutex_word_is_free(other.word) && !other.first;
	return is_free ? NULL : "a mutex is not free";
}

static void use(void)
{
	script_alone();
	script_expect("mutex_unlock()", mutex_unlock(&mutex), HEDDLE_OK, HEDDLE_OK);
	if (task_current()->locks.sections)
		explore_fail("the critical section is over, and counts still");
}

static intptr_t lock(void *unused)
{
	(void)unused;
	script_expect("mutex_lock()", mutex_lock(&mutex), HEDDLE_OK, HEDDLE_OK);
	use();
	return 0;
}

static intptr_t lock_twice(void *unused)
{
	lock(unused);
	return lock(unused);
}

/* Ends with its place still in the queue, if it has one there. */
static intptr_t lock_until(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock_until(&mutex, SOON);
	script_expect("mutex_lock_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		use();
	return 0;
}

static intptr_t lock_until_then_lock(void *unused)
{
	lock_until(unused);
	return lock(unused);
}

static intptr_t lock_until_twice(void *unused)
{
	lock_until(unused);
	return lock_until(unused);
}

/* With its place still in the queue, it waits for something else. */
static intptr_t lock_until_then_sleep(void *unused)
{
	lock_until(unused);
	script_expect("task_sleep_until()", task_sleep_until(SOON), HEDDLE_OK, HEDDLE_OK);
	return 0;
}

static void use_other(void)
{
	static unsigned inside;
	script_expect("mutex_lock()", mutex_lock(&other), HEDDLE_OK, HEDDLE_OK);
	if (inside++)
		explore_fail("two tasks hold the other mutex");
	explore_pause();
	inside--;
	script_expect("mutex_unlock()", mutex_unlock(&other), HEDDLE_OK, HEDDLE_OK);
}

static intptr_t lock_until_then_other(void *unused)
{
	lock_until(unused);
	use_other();
	return 0;
}

static intptr_t lock_then_other(void *unused)
{
	lock(unused);
	use_other();
	return 0;
}

static intptr_t lock_cancelled(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock(&mutex);
	script_expect("mutex_lock()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	if (error == HEDDLE_OK)
		use();
	return 0;
}

static intptr_t lock_cancelled_then_lock(void *unused)
{
	lock_cancelled(unused);
	return lock_cancelled(unused);
}

/* Two waits: one takes the request. */
static unsigned cancelled;

static void count_cancelled(void)
{
	enum heddle_error error = mutex_lock(&mutex);
	script_expect("mutex_lock()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	if (error == HEDDLE_OK)
		use();
	else if (++cancelled > 1)
		explore_fail("a request to cancel was taken twice");
}

static intptr_t lock_cancelled_once(void *unused)
{
	(void)unused;
	count_cancelled();
	count_cancelled();
	return 0;
}

static intptr_t end_with_it(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock(&mutex);
	script_expect("mutex_lock()", error, HEDDLE_OK, HEDDLE_OWNER_DIED);
	return 0;
}

static intptr_t lock_or_inherit(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock(&mutex);
	script_expect("mutex_lock()", error, HEDDLE_OK, HEDDLE_OWNER_DIED);
	use();
	return 0;
}

/* The last of all frees the mutex as soon as its unlock has returned. */
static void use_and_leave(void)
{
	static unsigned left;
	script_alone();
	bool last = ++left == 2;
	script_expect("mutex_unlock()", mutex_unlock(&mutex), HEDDLE_OK, HEDDLE_OK);
	if (!last)
		return;
	explore_drain(); /* whoever gets the memory sees these stores before */
	explore_free(&mutex, sizeof mutex);
}

static intptr_t lock_and_leave(void *unused)
{
	(void)unused;
	script_expect("mutex_lock()", mutex_lock(&mutex), HEDDLE_OK, HEDDLE_OK);
	use_and_leave();
	return 0;
}

/* A wait that is given up is a use as well: it ends before the last one. */
static intptr_t try_then_lock_and_leave(void *unused)
{
	lock_until(unused);
	return lock_and_leave(unused);
}

/* Of the largest cases of a plain mutex not all schedules: a limit for their switches. */
#define LARGE (MUTEX_AT_FIRST == MUTEX_FREE ? 0 : 4)

#define CASE(title, limit, longer, count, world, last, ...) \
	SCRIPT_CASE("mutex", title, limit, longer, count, world, prepare, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("two", 0, false, 2, ALONE, check, lock, lock),
    CASE("two-twice", 0, false, 2, ALONE, check, lock_twice, lock_twice),
    CASE("three", 0, false, 2, ALONE, check, lock, lock, lock),
    CASE("three-on-three", 0, true, 3, ALONE, check, lock, lock, lock),
    CASE("three-twice", 0, true, 2, ALONE, check, lock_twice, lock_twice, lock),
    CASE("deadline", 0, false, 2, TIME, check, lock_until, lock),
    CASE("deadline-both", 0, false, 2, TIME, check, lock_until, lock_until),
    CASE("deadline-renewed", 0, false, 2, TIME, check, lock_until_then_lock, lock),
    CASE("deadline-renewed-twice", LARGE, false, 2, TIME, check, lock_until_twice, lock_twice),
    CASE("deadline-three", 0, false, 2, TIME, check, lock_until, lock, lock),
    CASE("deadline-elsewhere", 0, false, 2, TIME, check, lock_until_then_sleep, lock),
    CASE("deadline-other", 0, false, 2, TIME, check, lock_until_then_other, lock_then_other),
    CASE("cancel", 0, false, 2, CANCEL, check, lock_cancelled, lock),
    CASE("cancel-renewed", LARGE, false, 2, CANCEL, check, lock_cancelled_then_lock, lock_twice),
    CASE("cancel-once", 0, false, 2, CANCEL, check, lock_cancelled_once, lock),
    CASE("cancel-three", 0, false, 2, CANCEL, check, lock_cancelled, lock, lock),
    CASE("owner-dies", 0, false, 2, ALONE, check, end_with_it, lock_or_inherit),
    CASE("freed", 0, false, 2, ALONE, NULL, lock_and_leave, lock_and_leave),
    CASE("freed-deadline", 0, false, 2, TIME, NULL, try_then_lock_and_leave, lock_and_leave),
    {0},
};
