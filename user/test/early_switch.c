/* Early switches: a running task makes way for a higher one, whatever is left of its quantum. */
#include "user/test/quantum.h"

#include "heddle/system.h"
#include "user/test/test.h"

#define PATIENCE  UINT64_C(5000000000) /* nanoseconds */
#define BUSY_MOST 8                    /* processors that a test may keep busy */

/* With a whole quantum left, the task makes way for a higher one, but not for its equals. */
TEST(quantum, early_switch_on_the_same_processor)
{
	atomic_bool equal_ran = false, higher_ran = false;
	struct task *equal, *higher;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(HEDDLE_TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	turn_end();
	CHECK_EQUAL(task_start(&equal, set_flag, &equal_ran, 0, HEDDLE_PRIORITY_NORMAL, 0), HEDDLE_OK);
	quantum_spent();
	bool equal_first = is_set(&equal_ran);
	CHECK_EQUAL(task_start(&higher, set_flag, &higher_ran, 0, HEDDLE_PRIORITY_HIGH, 0), HEDDLE_OK);
	quantum_spent();
	bool higher_then = is_set(&higher_ran);
	task_join(equal, NULL);
	task_join(higher, NULL);
	CHECK(!equal_first);
	CHECK(higher_then);
}

/* Here, or on an idle processor. */
TEST(quantum, early_switch_for_a_task_of_any_processor)
{
	atomic_bool ran = false;
	struct task *higher;
	uint64_t end = heddle_clock() + PATIENCE;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_LOW), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(HEDDLE_TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	quantum_spent(); /* after a change of priority, ready tasks are looked at in any case */
	CHECK_EQUAL(task_start(&higher, set_flag, &ran, 0, HEDDLE_PRIORITY_HIGH, HEDDLE_TASK_ANY_PROCESSOR),
	            HEDDLE_OK);
	quantum_spent();
	while (!is_set(&ran) && heddle_processors() > 1 && heddle_clock() < end)
		continue;
	bool in_time = is_set(&ran);
	task_join(higher, NULL);
	CHECK(in_time);
}

/* A higher task whose deadline has come runs at the end of a slice. */
static intptr_t sleep_and_set(void *flag)
{
	task_sleep_until(heddle_clock() + 1000000);
	return set_flag(flag);
}

TEST(quantum, early_switch_to_a_sleeper)
{
	atomic_bool woke = false;
	struct task *sleeper;
	uint64_t end = heddle_clock() + PATIENCE;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(HEDDLE_TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	CHECK_EQUAL(task_start(&sleeper, sleep_and_set, &woke, 0, HEDDLE_PRIORITY_HIGH, 0), HEDDLE_OK);
	while (!is_set(&woke) && heddle_clock() < end) {
		task_set_quantum(HEDDLE_TASK_QUANTUM_MAXIMUM); /* so it never ends */
		quantum_spent();
	}
	bool in_time = is_set(&woke);
	task_join(sleeper, NULL);
	CHECK(in_time);
}

/* Busy until an early switch is requested, or for ever: does what checks do, with an endless quantum. */
struct busy {
	atomic_bool over;
	_Atomic unsigned started;
	uint64_t end;
};

static intptr_t be_busy(void *argument)
{
	struct busy *busy = argument;
	atomic_fetch_add_explicit(&busy->started, 1, memory_order_release);
	for (unsigned i = 1; !is_set(&busy->over) && heddle_clock() < busy->end; i++)
		if (i % QUANTUM_SLICE == 0 || quantum_is_spent(scheduler_current()))
			quantum_spent();
	return 0;
}

/* A busy task of low priority on each processor from 1 to `count`. Returns how many there are. */
static unsigned busy_start(struct busy *busy, struct task **tasks, unsigned count)
{
	unsigned made = 0;
	busy->end = heddle_clock() + PATIENCE;
	while (made < count && task_start(&tasks[made], be_busy, busy, HEDDLE_TASK_QUANTUM_MAXIMUM,
	                                  HEDDLE_PRIORITY_LOW, (int)made + 1) == HEDDLE_OK)
		made++;
	while (atomic_load_explicit(&busy->started, memory_order_acquire) < made)
		task_yield();
	return made;
}

/* A higher task for `processor` runs while all others are busy; so is this one, except for checks. */
static bool runs_soon(struct busy *busy, int processor)
{
	atomic_bool ran = false;
	struct task *task;
	if (task_start(&task, set_flag, &ran, 0, HEDDLE_PRIORITY_HIGH, processor) != HEDDLE_OK)
		return false;
	while (!is_set(&ran) && heddle_clock() < busy->end)
		continue;
	bool in_time = is_set(&ran);
	task_join(task, NULL);
	return in_time;
}

static void check_early_switch(struct test_state *test, unsigned busy_count, int processor)
{
	struct task *tasks[BUSY_MOST];
	struct busy busy = {0};
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_HIGH), HEDDLE_OK);
	CHECK_EQUAL(task_set_quantum(HEDDLE_TASK_QUANTUM_MAXIMUM), HEDDLE_OK);
	unsigned made = busy_start(&busy, tasks, busy_count);
	bool all_soon = true;
	for (unsigned round = 0; round < 20; round++)
		all_soon &= runs_soon(&busy, processor);
	set_flag(&busy.over);
	for (unsigned i = 0; i < made; i++)
		task_join(tasks[i], NULL);
	CHECK_EQUAL(made, busy_count);
	CHECK(all_soon);
}

TEST(quantum, early_switch_to_a_bound_task_elsewhere)
{
	if (heddle_processors() < 2) {
		test_skip(test, "needs two processors");
		return;
	}
	check_early_switch(test, 1, 1);
}

TEST(quantum, early_switch_where_a_lower_task_runs)
{
	if (heddle_processors() < 2 || heddle_processors() > BUSY_MOST) {
		test_skip(test, "needs two to eight processors");
		return;
	}
	check_early_switch(test, heddle_processors() - 1, HEDDLE_TASK_ANY_PROCESSOR);
}
