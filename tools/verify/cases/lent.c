/*
 * A mutex that was given up, and is lent to the same task: within that section the task comes to all that could end the
 * deferral, while another task is owed, and others come.
 */
#include "deferring.h"

static intptr_t lock_and_check(void *unused)
{
	lock(unused);
	use_and(script_spend);
	return lock(unused);
}

static intptr_t lock_and_check_inside(void *unused)
{
	lock(unused);
	use_and(come_to_check_inside);
	return lock(unused);
}

static intptr_t lock_and_yield(void *unused)
{
	lock(unused);
	use_and(task_yield);
	return lock(unused);
}

static void rest(void)
{
	OK(task_sleep_until(SOON));
}

static intptr_t lock_and_sleep(void *unused)
{
	lock(unused);
	use_and(rest);
	return lock(unused);
}

/* The other task of both mutexes is owed, and this one waits for the other mutex within the first. */
static intptr_t lock_and_lock_other(void *unused)
{
	lock(unused);
	use_and(use_other);
	return lock(unused);
}

static void release(void)
{
	OK(semaphore_release(&semaphore, 1));
}

static intptr_t lock_and_release(void *unused)
{
	lock(unused);
	use_and(release);
	return lock(unused);
}

static void look_at_own(void)
{
	script_expect("mutex_try_lock()", mutex_try_lock(&mutex), HEDDLE_RELOCKED, HEDDLE_RELOCKED);
	script_expect("mutex_lock()", mutex_lock(&mutex), HEDDLE_RELOCKED, HEDDLE_RELOCKED);
	script_expect("mutex_destroy()", mutex_destroy(&mutex), HEDDLE_IN_USE, HEDDLE_IN_USE);
}

static intptr_t lock_and_look(void *unused)
{
	lock(unused);
	use_and(look_at_own);
	return lock(unused);
}

/* Meanwhile it is nobody else's. */
static intptr_t look_from_outside(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_try_lock(&mutex);
	script_expect("mutex_try_lock()", error, HEDDLE_OK, HEDDLE_BUSY);
	if (error == HEDDLE_OK) {
		if (holders)
			explore_fail("a mutex is taken that is held");
		OK(mutex_unlock(&mutex));
	}
	return 0;
}

/* Not lent, but taken back for good. */
static intptr_t lock_again_until(void *unused)
{
	lock(unused);
	OK(mutex_lock_until(&mutex, HEDDLE_NO_DEADLINE));
	if (scheduler_current()->owed)
		explore_fail("a task is owed that waits");
	script_alone();
	OK(mutex_unlock(&mutex));
	return 0;
}

/* With chain=1. */
static intptr_t lock_in_a_row(void *unused)
{
	lock(unused);
	enter();
	bool lent = scheduler_current()->owed_lent == &mutex;
	leave();
	if (lent && owed_is_of(scheduler_current(), &mutex))
		explore_fail("more sections in a row than may be");
	return 0;
}

/* Ends with it: another task has it, and is told. */
static intptr_t end_with_it(void *unused)
{
	lock(unused);
	script_expect("mutex_lock()", mutex_lock(&mutex), HEDDLE_OK, HEDDLE_OWNER_DIED);
	return 0;
}

static intptr_t lock_or_inherit(void *unused)
{
	(void)unused;
	script_expect("mutex_lock()", mutex_lock(&mutex), HEDDLE_OK, HEDDLE_OWNER_DIED);
	script_alone();
	OK(mutex_unlock(&mutex));
	return 0;
}

static intptr_t lock_cancelled(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock(&mutex);
	script_expect("mutex_lock()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	if (error == HEDDLE_OK)
		OK(mutex_unlock(&mutex));
	return 0;
}

static intptr_t lock_thrice(void *unused)
{
	lock(unused);
	use_and(task_yield);
	return lock(unused);
}

#define CASE(title, longer, count, world, ...) \
	SCRIPT_CASE("lent", title, 0, longer, count, world, prepare, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("check", false, 2, ALONE, lock_and_check, lock),
    CASE("check-inside", false, 2, ALONE, lock_and_check_inside, lock),
    CASE("check-three", true, 2, ALONE, lock_and_check, lock, lock),
    CASE("yield", false, 2, ALONE, lock_and_yield, lock),
    CASE("sleep", false, 2, TIME, lock_and_sleep, lock),
    CASE("other", false, 2, ALONE, lock_and_lock_other, lock, lock_each),
    CASE("exchange", false, 2, ALONE, lock_and_release, lock_and_tell, acquire_and_await),
    CASE("look", false, 2, ALONE, lock_and_look, lock, look_from_outside),
    CASE("until", false, 2, ALONE, lock_again_until, lock),
    CASE("owner-dies", false, 2, ALONE, end_with_it, lock_or_inherit),
    CASE("cancel", false, 2, CANCEL, lock_cancelled, lock_thrice),
    SCRIPT_CASE("lent", "in-a-row", 0, false, 2, ALONE, prepare_one_in_a_row, check, lock_in_a_row, lock),
    {0},
};
