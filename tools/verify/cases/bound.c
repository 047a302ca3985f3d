/*
 * Tasks bound to a processor: two that yield there by plain loads and stores, and one that the other processor makes
 * ready there meanwhile. It has its turn however often those yield.
 */
#include "scheduling.h"

#include "sched/scheduler.h"

#define YIELDS 4

static atomic_bool is_made, has_run;

static intptr_t run_once(void *home)
{
	if (explore_processor() != (unsigned)(uintptr_t)home)
		explore_fail("a bound task runs elsewhere");
	atomic_store_explicit(&has_run, true, memory_order_relaxed);
	return 0;
}

static intptr_t make_elsewhere(void *home)
{
	task_detach(scheduling_make(run_once, home, (int)(uintptr_t)home));
	atomic_store_explicit(&is_made, true, memory_order_relaxed);
	return 7;
}

static intptr_t yield_beside(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < 4 * YIELDS && !has_run; i++)
		task_yield();
	return 7;
}

/* The first of the two that yield. */
static intptr_t yield_until_run(void *unused)
{
	(void)unused;
	int home = (int)explore_processor();
	task_bind(home);
	struct task *beside = scheduling_make(yield_beside, NULL, home);
	for (unsigned i = 0; i < YIELDS; i++)
		task_yield();
	struct task *maker = scheduling_make(make_elsewhere, (void *)(uintptr_t)home, 1 - home);
	model_task_wait(scheduling_is_true, &is_made);
	for (unsigned i = 0; i < YIELDS && !has_run; i++)
		task_yield();
	if (!has_run)
		explore_fail("a task that another processor has put has no turn");
	scheduling_join(beside, 7);
	scheduling_join(maker, 7);
	scheduler_stop();
	return 0;
}

#define CASE(title, longer, limit, policy) \
	SCHEDULING_CASE("bound", title, 2, longer, limit, policy, yield_until_run, 4)

const struct explore_case explore_cases[] = {
    CASE("in-turn-local", false, 2, LOCAL),
    CASE("in-turn-global", false, 2, GLOBAL),
    CASE("in-turn-local-4", true, 4, LOCAL),
    {0},
};
