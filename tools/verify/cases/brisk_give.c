/*
 * A brisk processor gives one of two long-lived tasks to another that halts (explored/: as soon as it may). Whenever it
 * does, and whatever the other is about to do, both tasks go on to their ends.
 */
#include "scheduling.h"

#include "sched/scheduler.h"

#define YIELDS 2

static void short_for_ever(void)
{
	for (unsigned i = 0; i < processor_count; i++) {
		struct scheduler *scheduler = processors[i].scheduler;
		explore_name(&scheduler->brisk_until, sizeof scheduler->brisk_until, "brisk-until%u", i);
		explore_name(&scheduler->short_until, sizeof scheduler->short_until, "short-until%u", i);
		scheduler->short_until = UINT64_MAX / 2;
	}
}

static intptr_t yield_some_times(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < YIELDS; i++)
		task_yield();
	return 7;
}

static void make(task_function third)
{
	struct task *tasks[3] = {scheduling_make(yield_some_times, NULL, HEDDLE_TASK_ANY_PROCESSOR),
	                         scheduling_make(yield_some_times, NULL, HEDDLE_TASK_ANY_PROCESSOR)};
	if (third)
		tasks[2] = scheduling_make(third, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	for (unsigned i = 0; i < (third ? 3 : 2); i++)
		scheduling_join(tasks[i], 7);
	scheduler_stop();
}

static intptr_t make_two(void *unused)
{
	(void)unused;
	make(NULL);
	return 0;
}

/* The third ends while the other two wait. */
static intptr_t make_two_and_a_short_one(void *unused)
{
	(void)unused;
	make(scheduling_return_seven);
	return 0;
}

#define CASE(title, count, longer, limit, chosen, ...) \
	SCHEDULING_CASE("brisk_give", title, count, longer, limit, chosen, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("yields", 2, false, 1, LOCAL, make_two, 3, .prepare = short_for_ever),
    CASE("beside-a-short-one", 2, false, 1, LOCAL, make_two_and_a_short_one, 4, .prepare = short_for_ever),
    CASE("yields-2", 2, true, 2, LOCAL, make_two, 3, .prepare = short_for_ever),
    {0},
};
