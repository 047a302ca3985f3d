/*
 * A brisk processor (brisk.h), with the real timers: the task that it keeps to itself is told at a check, or when the
 * processor is interrupted, since it comes to none. The clock advances while a processor halts.
 */
#include "scheduling.h"

#include "sched/quantum.h"
#include "sched/scheduler.h"
#include "sched/timer_watch.h"

#define SOON  1
#define NEVER (MODEL_CLOCK_END + 1)

static void short_until(uint64_t time)
{
	for (unsigned i = 0; i < processor_count; i++) {
		struct scheduler *scheduler = processors[i].scheduler;
		explore_name(&scheduler->watched, sizeof scheduler->watched, "watched%u", i);
	}
	scheduling_short_until(time);
}

static void short_until_soon(void)
{
	short_until(SOON);
}

static void short_for_ever(void)
{
	short_until(NEVER);
}

/* The other task must run elsewhere. */
static void meet(struct task *other)
{
	scheduling_meet();
	scheduling_join(other, 7);
	scheduler_stop();
}

static intptr_t come_to_a_check(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	quantum_spent();
	meet(other);
	return 0;
}

static intptr_t come_to_none(void *unused)
{
	(void)unused;
	meet(scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	return 0;
}

/* The task that is kept runs where it was made. */
static intptr_t wait_for_it(void *unused)
{
	(void)unused;
	scheduling_join(scheduling_make(scheduling_return_seven, NULL, HEDDLE_TASK_ANY_PROCESSOR), 7);
	scheduler_stop();
	return 0;
}

#define CASE(title, count, longer, limit, chosen, ...) \
	SCHEDULING_CASE("brisk", title, count, longer, limit, chosen, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("checked", 2, false, 1, LOCAL, come_to_a_check, 2, .prepare = short_for_ever),
    CASE("watched", 2, false, 1, LOCAL, come_to_none, 2, .prepare = short_until_soon),
    CASE("joined", 2, false, 1, LOCAL, wait_for_it, 2, .prepare = short_for_ever),
    CASE("joined-soon", 2, false, 1, LOCAL, wait_for_it, 2, .prepare = short_until_soon),

    CASE("checked-4", 2, true, 4, LOCAL, come_to_a_check, 2, .prepare = short_for_ever),
    CASE("watched-2", 2, true, 2, LOCAL, come_to_none, 2, .prepare = short_until_soon),
    {0},
};
