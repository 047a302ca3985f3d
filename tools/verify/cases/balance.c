/*
 * A processor with more tasks than another offers it some (sched/balance.h): each runs once, wherever it is fetched
 * to, and none waits while a processor is idle. A task that must meet another waits until that one runs as well, so
 * each processor must come to run one.
 */
#include "scheduling.h"

#include "sched/balance.h"

static atomic_bool other_runs, all_are_made;

static void make_many(unsigned count, task_function function)
{
	for (unsigned i = 0; i < count; i++)
		task_detach(scheduling_make(function, NULL, HEDDLE_TASK_ANY_PROCESSOR));
}

/* The machine stops when nothing is ready. */
static void let_other_go(void)
{
	atomic_store_explicit(&all_are_made, true, memory_order_relaxed);
	scheduler_stop();
}

#if BALANCE_PICK == 2
static intptr_t yield_once(void *unused)
{
	(void)unused;
	task_yield();
	return 0;
}

/* On the other processor: it is busy until all tasks are made, and then for some more yields. */
static intptr_t keep_busy(void *yields)
{
	atomic_store_explicit(&other_runs, true, memory_order_relaxed);
	model_task_wait(scheduling_is_true, &all_are_made);
	for (uintptr_t i = 0; i < (uintptr_t)yields; i++)
		task_yield();
	return 0;
}

static void occupy_other(uintptr_t yields)
{
	task_detach(scheduling_make(keep_busy, (void *)yields, 1 - (int)explore_processor()));
	model_task_wait(scheduling_is_true, &other_runs);
}

/* ---- the other becomes idle while tasks are offered, or fetched ---- */

static intptr_t leave_two(void *unused)
{
	(void)unused;
	occupy_other(0);
	make_many(2, scheduling_meet_another);
	let_other_go();
	return 0;
}

/* The two that meet are offered, and the others end soon: then this processor becomes idle as well. */
static intptr_t leave_four(void *unused)
{
	(void)unused;
	occupy_other(0);
	make_many(2, scheduling_meet_another);
	make_many(2, scheduling_return_seven);
	let_other_go();
	return 0;
}

/* ---- the other yields, and fetches what it was invited to fetch ---- */

static intptr_t yield_among_two(void *unused)
{
	occupy_other(2);
	make_many(2, yield_once);
	let_other_go();
	return yield_once(unused);
}

static intptr_t yield_among_four(void *unused)
{
	occupy_other(2);
	make_many(4, yield_once);
	let_other_go();
	return yield_once(unused);
}

#else
/* ---- the other is invited, and does not come: it waits for the task that it should fetch ---- */

static unsigned ran;
static atomic_bool both_ran;

static intptr_t run_second(void *unused)
{
	(void)unused;
	if (++ran == 2)
		atomic_store_explicit(&both_ran, true, memory_order_relaxed);
	return 0;
}

static intptr_t wait_for_both(void *unused)
{
	(void)unused;
	atomic_store_explicit(&other_runs, true, memory_order_relaxed);
	model_task_wait(scheduling_is_true, &both_ran);
	return 0;
}

static intptr_t leave_two_behind(void *unused)
{
	(void)unused;
	while (scheduler_current()->picks % BALANCE_PICK != BALANCE_PICK - 1)
		task_yield();
	task_detach(scheduling_make(wait_for_both, NULL, 1 - (int)explore_processor()));
	model_task_wait(scheduling_is_true, &other_runs);
	make_many(2, run_second);
	let_other_go();
	return 0;
}

#endif

/* ---- cases ---- */

#define CASE(title, longer, limit, tasks, first) \
	SCHEDULING_CASE("balance", title, 2, longer, limit, LOCAL, first, tasks, .early = true)

const struct explore_case explore_cases[] = {
#if BALANCE_PICK == 2
    CASE("rests", false, 2, 4, leave_two),
    CASE("yields", false, 1, 4, yield_among_two),
    CASE("rests-4", false, 1, 6, leave_four),
    CASE("yields-4", false, 1, 6, yield_among_four),
    CASE("rests-long", true, 3, 4, leave_two),
    CASE("rests-4-long", true, 2, 6, leave_four),
    CASE("yields-long", true, 2, 4, yield_among_two),
#else
    CASE("taken-back", false, 2, 4, leave_two_behind),
#endif
    {0},
};
