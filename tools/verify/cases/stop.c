/*
 * scheduler_stop(): every processor returns, but only after everything ready has run, wherever it is and however late
 * it was made.
 */
#include "scheduling.h"

#include "sched/run_next.h"
#include "sched/scheduler.h"
#include "sched/switch.h"

static struct task *parked;
static atomic_bool is_parked;

static unsigned other_processor(void)
{
	return 1 - explore_processor();
}

static void make_detached(task_function function, int processor)
{
	task_detach(scheduling_make(function, NULL, processor));
}

static void finalize_park(struct task *left, void *unused)
{
	(void)left, (void)unused;
	/* release: the task has left its stack. */
	atomic_store_explicit(&is_parked, true, memory_order_release);
}

static intptr_t park(void *unused)
{
	(void)unused;
	switch_away(finalize_park, NULL);
	return 0;
}

static intptr_t make_unbound(void *unused)
{
	(void)unused;
	scheduler_stop();
	make_detached(scheduling_return_seven, HEDDLE_TASK_ANY_PROCESSOR);
	return 0;
}

static intptr_t make_bound(void *unused)
{
	(void)unused;
	unsigned home = other_processor();
	scheduler_stop();
	make_detached(scheduling_return_seven, (int)home);
	return 0;
}

static intptr_t send_back(void *unused)
{
	(void)unused;
	make_detached(scheduling_return_seven, (int)other_processor());
	return 0;
}

static intptr_t make_late(void *unused)
{
	(void)unused;
	unsigned home = other_processor();
	scheduler_stop();
	make_detached(send_back, (int)home);
	return 0;
}

static intptr_t send_next(void *unused)
{
	(void)unused;
	unsigned home = other_processor();
	parked = scheduling_make(park, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_detach(parked);
	model_task_wait(scheduling_is_true, &is_parked);
	scheduler_stop();
	run_next_publish(parked, home);
	return 0;
}

static intptr_t yield_and_end(void *unused)
{
	(void)unused;
	make_detached(scheduling_return_seven, HEDDLE_TASK_ANY_PROCESSOR);
	scheduler_stop();
	task_yield();
	return 0;
}

/* ---- cases ---- */

#define CASE(title, count, longer, limit, chosen, ...) \
	SCHEDULING_CASE("stop", title, count, longer, limit, chosen, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("unbound-local", 2, false, 1, LOCAL, make_unbound, 2),
    CASE("unbound-global", 2, false, 1, GLOBAL, make_unbound, 2),
    CASE("bound-local", 2, false, 1, LOCAL, make_bound, 2),
    CASE("bound-global", 2, false, 1, GLOBAL, make_bound, 2),
    CASE("late-local", 2, false, 1, LOCAL, make_late, 3),
    CASE("next-local", 2, false, 1, LOCAL, send_next, 2),
    CASE("yield-local", 2, false, 1, LOCAL, yield_and_end, 2),
    CASE("bound-three", 3, false, 1, LOCAL, make_bound, 2),

    CASE("unbound-local-3", 2, true, 3, LOCAL, make_unbound, 2),
    CASE("bound-global-3", 2, true, 3, GLOBAL, make_bound, 2),
    CASE("late-local-2", 2, true, 2, LOCAL, make_late, 3),
    CASE("next-local-2", 2, true, 2, LOCAL, send_next, 2),
    CASE("bound-three-2", 3, true, 2, LOCAL, make_bound, 2),
    {0},
};
