/*
 * A processor that had nothing to do is brisk when it finds a task, and no longer when it begins with it (explored/):
 * what it says then about its tasks must come true. The task that it runs comes to no check, so the one that is made
 * while the other processor is busy must be asked for.
 */
#include "scheduling.h"

#include "sched/scheduler.h"

static atomic_bool is_busy, is_over, has_run;

static intptr_t be_busy(void *unused)
{
	(void)unused;
	is_busy = true;
	model_task_wait(scheduling_is_true, &is_over);
	return 0;
}

static intptr_t run(void *unused)
{
	(void)unused;
	has_run = true;
	return 7;
}

static intptr_t make_while_the_other_is_busy(void *unused)
{
	(void)unused;
	struct task *busy = scheduling_make(be_busy, NULL, 1);
	model_task_wait(scheduling_is_true, &is_busy);
	struct task *other = scheduling_make(run, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	is_over = true;
	model_task_wait(scheduling_is_true, &has_run);
	scheduling_join(other, 7);
	scheduling_join(busy, 0);
	scheduler_stop();
	return 0;
}

const struct explore_case explore_cases[] = {
    SCHEDULING_CASE("brisk_begun", "asked", 2, false, 1, LOCAL, make_while_the_other_is_busy, 3,
                    .prepare = scheduling_short_for_ever),
    {0},
};
