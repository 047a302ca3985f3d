/*
 * No ready task waits for ever: neither between busy levels, nor a bound task among unbound ones.
 */
#include <stdatomic.h>

#include "heddle/system.h"
#include "heddle/task.h"
#include "sched/ready.h"
#include "user/test/test.h"

#define PATIENCE 5000000000 /* nanoseconds */

struct contest {
	_Atomic bool over;
	uint64_t end;
	struct task *partner;
};

static bool goes_on(struct contest *contest)
{
	return !atomic_load_explicit(&contest->over, memory_order_relaxed) && heddle_clock() < contest->end;
}

static intptr_t yield_busily(void *argument)
{
	while (goes_on(argument))
		task_yield();
	return 0;
}

static intptr_t win(void *argument)
{
	struct contest *contest = argument;
	intptr_t won = goes_on(contest);
	atomic_store_explicit(&contest->over, true, memory_order_relaxed);
	return won;
}

/* Resumes a partner of higher priority before each yield: always two picks a round. */
static intptr_t yield_with_partner(void *argument)
{
	struct contest *contest = argument;
	while (goes_on(contest)) {
		task_resume(contest->partner);
		task_yield();
	}
	task_resume(contest->partner);
	return 0;
}

static intptr_t suspend_repeatedly(void *argument)
{
	while (goes_on(argument))
		task_suspend();
	return 0;
}

static struct task *start(task_function function, struct contest *contest, enum heddle_priority priority,
                          int processor)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.priority = priority;
	options.bound = processor != HEDDLE_TASK_ANY_PROCESSOR;
	options.processor = processor;
	return task_create(&task, function, contest, &options) == HEDDLE_OK ? task : NULL;
}

TEST(starvation, a_level_in_the_middle_runs)
{
	struct contest contest = {.end = heddle_clock() + PATIENCE};
	struct task *high = start(yield_busily, &contest, HEDDLE_PRIORITY_HIGH, 0);
	struct task *low = start(yield_busily, &contest, HEDDLE_PRIORITY_LOW, 0);
	struct task *middle = start(win, &contest, HEDDLE_PRIORITY_NORMAL, 0);
	intptr_t won = 0;
	CHECK(high && low && middle);
	CHECK_EQUAL(task_join(middle, &won), HEDDLE_OK);
	CHECK_EQUAL(task_join(high, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_join(low, NULL), HEDDLE_OK);
	CHECK(won);
}

TEST(starvation, a_bound_task_runs_beside_unbound_ones)
{
	if (heddle_processors() > 1) {
		test_skip(test, "needs a machine of one processor, where unbound tasks stay");
		return;
	}
	for (unsigned round = 0; round < 16; round++) {
		struct contest contest = {.end = heddle_clock() + PATIENCE};
		contest.partner =
		    start(suspend_repeatedly, &contest, HEDDLE_PRIORITY_HIGH, HEDDLE_TASK_ANY_PROCESSOR);
		struct task *unbound =
		    start(yield_with_partner, &contest, HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_ANY_PROCESSOR);
		struct task *bound = start(win, &contest, HEDDLE_PRIORITY_NORMAL, 0);
		intptr_t won = 0;
		CHECK(contest.partner && unbound && bound);
		for (unsigned i = 0; i < round % 3; i++)
			task_yield(); /* changes the parity of picks each round */
		CHECK_EQUAL(task_join(bound, &won), HEDDLE_OK);
		CHECK_EQUAL(task_join(unbound, NULL), HEDDLE_OK);
		CHECK_EQUAL(task_join(contest.partner, NULL), HEDDLE_OK);
		CHECK(won);
	}
}

static intptr_t end_at_once(void *unused)
{
	(void)unused;
	return 0;
}

/* Make a task as code with these stacks does, and return for how long owners are waited for from then on. */
static uint64_t patience_after(enum heddle_task_stack stack)
{
	struct task_options options = {.stack = stack, .stack_size = HEDDLE_TASK_STACK_DEFAULT};
	struct task *task;
	if ((task_create)(&task, end_at_once, NULL, &options) != HEDDLE_OK || task_join(task, NULL) != HEDDLE_OK)
		return 0;
	return atomic_load_explicit(&ready_patience, memory_order_relaxed);
}

TEST(starvation, code_without_checks_is_interrupted_sooner)
{
	uint64_t before = atomic_load_explicit(&ready_patience, memory_order_relaxed);
	CHECK_EQUAL(patience_after(HEDDLE_TASK_STACK_WHOLE), before);
	CHECK_EQUAL(patience_after(HEDDLE_TASK_STACK_AS_COMPILED),
	            arch_has_foreign_code ? READY_PATIENCE_FOREIGN : before);
	atomic_store_explicit(&ready_patience, before, memory_order_relaxed);
}
