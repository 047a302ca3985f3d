/*
 * Priorities when a lock is handed over: a lower task that gets the lock has its turn among higher ones, and does not
 * run in place of a higher task that gives up the lock.
 */
#include "heddle/mutex.h"
#include "sched/ready.h"
#include "user/test/quantum.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

/* sched/run_next.h */
#define PICKS_AT_MOST (2 * HEDDLE_PRIORITIES * READY_TURN_PICK)

struct hand_over {
	struct mutex mutex;
	atomic_bool given_up, taken;
	_Atomic unsigned yields; /* of the higher task since it gave up the mutex */
};

static enum heddle_error lock_and_say(struct waiting *waiting)
{
	struct hand_over *hand_over = waiting->object;
	enum heddle_error error = mutex_lock(&hand_over->mutex);
	set_flag(&hand_over->taken);
	mutex_unlock(&hand_over->mutex);
	return error;
}

/* The only higher task there; each yield is a pick. */
static intptr_t yield_until_taken(void *argument)
{
	struct hand_over *hand_over = argument;
	uint64_t end = after(10000);
	while (!is_set(&hand_over->taken) && heddle_clock() < end) {
		if (is_set(&hand_over->given_up))
			hand_over->yields++;
		task_yield();
	}
	return 0;
}

TEST(hand_over, a_lower_task_has_its_turn)
{
	struct hand_over hand_over = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct waiting low = {.wait = lock_and_say,
	                      .object = &hand_over,
	                      .priority = HEDDLE_PRIORITY_LOW,
	                      .bound = true,
	                      .processor = 1};
	struct task *high;
	if (processor_count < 2) {
		test_skip(test, "needs two processors");
		return;
	}
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(mutex_lock(&hand_over.mutex), HEDDLE_OK);
	CHECK(waiting_start(&low));
	CHECK_EQUAL(task_start(&high, yield_until_taken, &hand_over, 0, HEDDLE_PRIORITY_HIGH, 1), HEDDLE_OK);
	task_sleep_until(after(10));
	CHECK_EQUAL(mutex_unlock(&hand_over.mutex), HEDDLE_OK);
	set_flag(&hand_over.given_up);
	CHECK_EQUAL(task_join(high, NULL), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&low), HEDDLE_OK);
	CHECK(hand_over.yields <= PICKS_AT_MOST);
}

TEST(hand_over, a_higher_task_goes_on)
{
	struct hand_over hand_over = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct waiting low = {
	    .wait = lock_and_say, .object = &hand_over, .priority = HEDDLE_PRIORITY_LOW, .bound = true};
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(mutex_lock(&hand_over.mutex), HEDDLE_OK);
	CHECK(waiting_start(&low));
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_REALTIME), HEDDLE_OK);
	CHECK_EQUAL(mutex_unlock(&hand_over.mutex), HEDDLE_OK);
	CHECK(!is_set(&hand_over.taken));
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_NORMAL), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&low), HEDDLE_OK);
}
