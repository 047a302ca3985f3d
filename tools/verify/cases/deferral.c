/*
 * Deferred hand-over: a task that has given up a mutex goes on, and takes it back, or leaves its processor in one of
 * the possible ways. Each is tried while another task waits, comes, or gives up.
 */
#include "deferring.h"

#include "heddle/condition.h"
#include "sched/wait.h"

static struct condition condition;

static void prepare_all(void)
{
	prepare();
	explore_name(&condition, sizeof condition, "condition");
}

static void prepare_other_priority(void)
{
	prepare();
	model_task(1)->schedule.priority = LEVEL_LOWEST;
}

static void prepare_strict(void)
{
	prepare();
	mutex_set_strict(&mutex, true);
}

/* ---- programs ---- */

static intptr_t lock_again(void *unused)
{
	lock(unused);
	return lock(unused);
}

static intptr_t lock_thrice(void *unused)
{
	lock_again(unused);
	return lock(unused);
}

static intptr_t lock_then_check(void *unused)
{
	lock(unused);
	script_spend();
	return lock(unused);
}

static intptr_t lock_then_check_inside(void *unused)
{
	lock(unused);
	come_to_check_inside();
	return lock(unused);
}

static intptr_t lock_then_yield(void *unused)
{
	lock(unused);
	task_yield();
	return lock(unused);
}

static intptr_t lock_then_sleep(void *unused)
{
	lock(unused);
	OK(task_sleep_until(SOON));
	return lock(unused);
}

static intptr_t lock_then_other(void *unused)
{
	lock(unused);
	use_other();
	return lock(unused);
}

/* Two are given up, nested. */
static intptr_t lock_both(void *unused)
{
	(void)unused;
	OK(mutex_lock(&other));
	use();
	OK(mutex_unlock(&other));
	return 0;
}

/* Only this task may try: it must not be given the mutex that it owes without waiting. */
static intptr_t lock_then_try(void *unused)
{
	lock(unused);
	bool owes = scheduler_current()->owed != NULL;
	enum heddle_error error = mutex_try_lock(&mutex);
	script_expect("mutex_try_lock()", error, HEDDLE_OK, HEDDLE_BUSY);
	if (error == HEDDLE_OK) {
		if (owes)
			explore_fail("what was given up is taken without a look");
		script_alone();
		OK(mutex_unlock(&mutex));
	}
	return 0;
}

/* Ends with it: another task has it, and is told, but not because of a section that was over. */
static intptr_t end_with_it(void *unused)
{
	(void)unused;
	use();
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

/* The last of all frees the mutex as soon as its unlock has returned. */
static void use_and_leave(unsigned users)
{
	static unsigned left;
	OK(mutex_lock(&mutex));
	script_alone();
	bool last = ++left == users;
	OK(mutex_unlock(&mutex));
	if (last)
		explore_free(&mutex, sizeof mutex);
}

static intptr_t leave_twice(void *unused)
{
	(void)unused;
	use_and_leave(3);
	use_and_leave(3);
	return 0;
}

static intptr_t leave_once(void *unused)
{
	(void)unused;
	use_and_leave(3);
	return 0;
}

/* ---- the first task gives up while the second one, which has unlocked, has the mutex back and waits for that ---- */

static intptr_t lock_cancelled(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock(&mutex);
	script_expect("mutex_lock()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	if (error == HEDDLE_OK)
		OK(mutex_unlock(&mutex));
	over = true;
	return 0;
}

static intptr_t lock_until(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock_until(&mutex, SOON);
	script_expect("mutex_lock_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		OK(mutex_unlock(&mutex));
	over = true;
	return 0;
}

static intptr_t lock_and_await(void *unused)
{
	(void)unused;
	use();
	OK(mutex_lock(&mutex));
	model_yield_until(is_over, NULL);
	OK(mutex_unlock(&mutex));
	return 0;
}

/* ---- a wait for the mutex that began at a condition can only end with the mutex ---- */

static bool is_set, notified;

static intptr_t await_condition(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock(&mutex);
	script_expect("mutex_lock()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	while (error == HEDDLE_OK && !is_set) {
		error = condition_wait(&condition, &mutex);
		script_expect("condition_wait()", error, HEDDLE_OK, notified ? HEDDLE_OK : HEDDLE_CANCELLED);
		script_alone();
		/* Even after a cancellation it holds the mutex. */
		if (error != HEDDLE_OK)
			OK(mutex_unlock(&mutex));
	}
	if (error == HEDDLE_OK)
		OK(mutex_unlock(&mutex));
	return 0;
}

static intptr_t notify_and_lock(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	is_set = true;
	uint64_t ticket = wait_ticket(model_task(0));
	bool waited = condition.waiting.first; /* with that ticket, because it has not withdrawn */
	OK(condition_notify_one(&condition));
	uint64_t word = atomic_load_explicit(&model_task(0)->wait.word, memory_order_relaxed);
	notified = waited && word == wait_word(ticket, WAIT_KEPT);
	script_alone();
	OK(mutex_unlock(&mutex));
	use_and(script_spend); /* so it does wait again */
	return 0;
}

/* ---- exchanges that do not come from the mutex ---- */

static intptr_t lock_then_release(void *unused)
{
	lock(unused);
	OK(semaphore_release(&semaphore, 1));
	return lock(unused);
}

#define CASE(title, longer, count, world, ...) \
	SCRIPT_CASE("deferral", title, 0, longer, count, world, prepare_all, check, __VA_ARGS__)
#define CASE_OF(title, count, set_up, ...) \
	SCRIPT_CASE("deferral", title, 0, false, count, ALONE, set_up, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("again", false, 2, ALONE, lock_again, lock),
    CASE("again-both", false, 2, ALONE, lock_again, lock_again),
    CASE("again-three", false, 2, ALONE, lock_again, lock, lock),
    CASE("thrice", true, 2, ALONE, lock_thrice, lock_again, lock),
    CASE("check", false, 2, ALONE, lock_then_check, lock),
    CASE("check-three", true, 2, ALONE, lock_then_check, lock_again, lock),
    CASE("check-inside", false, 2, ALONE, lock_then_check_inside, lock),
    CASE("yield", false, 2, ALONE, lock_then_yield, lock),
    CASE("sleep", false, 2, TIME, lock_then_sleep, lock),
    CASE("other", false, 2, ALONE, lock_then_other, lock, lock_each),
    CASE("two-owed", false, 2, ALONE, lock_both, lock_each),
    CASE("two-owed-three", true, 2, ALONE, lock_both, lock, lock_each),
    CASE("try", false, 2, ALONE, lock_then_try, lock),
    CASE("owner-dies", false, 2, ALONE, end_with_it, lock_or_inherit),
    CASE("exchange", false, 2, ALONE, lock_then_release, lock_and_tell, acquire_and_await),
    SCRIPT_CASE("deferral", "freed", 0, false, 2, ALONE, prepare, NULL, leave_twice, leave_once),
    CASE("cancel", false, 2, CANCEL, lock_cancelled, lock_and_await),
    CASE("deadline", false, 2, TIME, lock_until, lock_and_await),
    CASE("condition", false, 2, ALONE, await_condition, notify_and_lock),
    CASE("condition-cancel", true, 2, CANCEL, await_condition, notify_and_lock),
    SCRIPT_CASE("deferral", "condition-cancel-2", 2, false, 2, CANCEL, prepare_all, check, await_condition,
                notify_and_lock),
    CASE_OF("other-priority", 2, prepare_other_priority, lock_again, lock_again),
    CASE_OF("strict", 2, prepare_strict, lock_again, lock),
    CASE_OF("one-in-a-row", 2, prepare_one_in_a_row, lock_thrice, lock),
    {0},
};
