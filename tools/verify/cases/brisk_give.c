/*
 * A brisk processor gives one of two long-lived tasks to another that halts (explored/: as soon as it may). Whenever it
 * does, and whatever the other is about to do, both tasks go on to their ends.
 */
#include "scheduling.h"

#include "sched/scheduler.h"

#define YIELDS 2

static intptr_t yield_some_times(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < YIELDS; i++)
		task_yield();
	return 7;
}

#define LONG 2

static void make(unsigned short_ones)
{
	struct task *tasks[LONG + 2];
	for (unsigned i = 0; i < LONG + short_ones; i++)
		tasks[i] = scheduling_make(i < LONG ? yield_some_times : scheduling_return_seven, NULL,
		                           HEDDLE_TASK_ANY_PROCESSOR);
	for (unsigned i = 0; i < LONG + short_ones; i++)
		scheduling_join(tasks[i], 7);
	scheduler_stop();
}

static intptr_t make_two(void *unused)
{
	(void)unused;
	make(0);
	return 0;
}

/* These end while the other two wait. */
static intptr_t make_two_and_short_ones(void *unused)
{
	(void)unused;
	make(2);
	return 0;
}

#define CASE(title, count, longer, limit, chosen, ...) \
	SCHEDULING_CASE("brisk_give", title, count, longer, limit, chosen, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("yields", 2, false, 1, LOCAL, make_two, 3, .prepare = scheduling_short_for_ever),
    CASE("beside-short-ones", 2, false, 1, LOCAL, make_two_and_short_ones, 5,
         .prepare = scheduling_short_for_ever),
    CASE("yields-2", 2, true, 2, LOCAL, make_two, 3, .prepare = scheduling_short_for_ever),
    {0},
};
