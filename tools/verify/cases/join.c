/* An end that finds its joiner, which comes next there or elsewhere, and may be cancelled meanwhile. */
#include "scheduling.h"

#include "sched/scheduler.h"

static struct task *joiner;
static unsigned cancelled;

/* A request that comes too late for a join ends the next. */
static void join(struct task *task)
{
	intptr_t result = 0;
	enum heddle_error error;
	while ((error = task_join(task, &result)) == HEDDLE_CANCELLED)
		if (++cancelled > 1)
			explore_fail("it was cancelled once, and twice it came");
	if (error != HEDDLE_OK || result != 7)
		explore_fail("task_join() says %d, and gives %ld", error, (long)result);
}

static intptr_t cancel(void *unused)
{
	(void)unused;
	task_cancel(joiner);
	return 7;
}

static intptr_t join_seven(void *unused)
{
	(void)unused;
	join(scheduling_make(scheduling_return_seven, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	return 7;
}

static intptr_t join_and_stop(void *unused)
{
	join_seven(unused);
	scheduler_stop();
	return 0;
}

static intptr_t join_though_cancelled(void *unused)
{
	joiner = task_current();
	struct task *other = scheduling_make(cancel, NULL, 1 - (int)explore_processor());
	join_seven(unused);
	join(other);
	scheduler_stop();
	return 7;
}

static intptr_t join_at_home(void *task)
{
	join(task);
	if (explore_processor() != 1)
		explore_fail("it is bound, and goes on elsewhere");
	return 7;
}

static intptr_t join_bound(void *unused)
{
	(void)unused;
	struct task *seven = scheduling_make(scheduling_return_seven, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	join(scheduling_make(join_at_home, seven, 1));
	scheduler_stop();
	return 0;
}

static intptr_t join_lower(void *unused)
{
	(void)unused;
	join(scheduling_make_at(HEDDLE_PRIORITY_IDLE, scheduling_return_seven, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	scheduler_stop();
	return 0;
}

#define CASE(title, count, longer, limit, ...) \
	SCHEDULING_CASE("join", title, count, longer, limit, LOCAL, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("alone", 1, false, 0, join_and_stop, 2),
    CASE("lower-alone", 1, false, 0, join_lower, 2),
    CASE("cancelled", 2, false, 1, join_though_cancelled, 3),
    CASE("bound", 2, false, 1, join_bound, 3),
    CASE("cancelled-2", 2, true, 2, join_though_cancelled, 3),
    {0},
};
