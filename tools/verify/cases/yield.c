/*
 * Three tasks that can run, one of which yields, on two processors with small blocks of the local queue: a running
 * task waits until another runs as well, so no processor may be idle while a task waits. And a task whose processor
 * runs one without checks is found by the other processor, which yields.
 */
#include "scheduling.h"

#include "sched/local_queue.h"
#include "sched/ready.h"
#include "sched/scheduler.h"

static intptr_t yield_then_meet(void *unused)
{
	task_yield();
	return scheduling_meet_another(unused);
}

/* ---- a ready task whose processor runs another without checks, while all processors are busy ---- */

static atomic_bool b_runs, c_is_made, c_ran;

static intptr_t run_shortly(void *unused)
{
	(void)unused;
	atomic_store_explicit(&c_ran, true, memory_order_relaxed);
	return 7;
}

static intptr_t yield_often(void *unused)
{
	(void)unused;
	atomic_store_explicit(&b_runs, true, memory_order_relaxed);
	model_task_wait(scheduling_is_true, &c_is_made);
	for (unsigned i = 0; i < 4 * READY_TURN_PICK && !c_ran; i++) {
		task_yield();
		model_task_wait(model_no_interrupt, NULL);
	}
	if (!c_ran)
		explore_fail("a task that is ready elsewhere is never found");
	return 7;
}

static intptr_t be_in_the_way(void *unused)
{
	(void)unused;
	struct task *b = scheduling_make(yield_often, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	model_task_wait(scheduling_is_true, &b_runs);
	struct task *c = scheduling_make(run_shortly, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	atomic_store_explicit(&c_is_made, true, memory_order_relaxed);
	model_task_wait(scheduling_is_true, &c_ran);
	scheduling_join(b, 7);
	scheduling_join(c, 7);
	scheduler_stop();
	return 0;
}

/* ---- cases ---- */

#define CASE(title, longer, limit, first, ...) \
	SCHEDULING_CASE("yield", title, 2, longer, limit, LOCAL, first, 3, __VA_ARGS__)

const struct explore_case explore_cases[] = {
#if LOCAL_BLOCK == 2
    CASE("once", false, 1, yield_then_meet, .others = {scheduling_meet_another, scheduling_meet_another}),
    CASE("in-turn", false, 1, yield_then_meet, .others = {yield_then_meet, yield_then_meet}),
    CASE("in-the-way", false, 1, be_in_the_way),
    CASE("once-2", true, 2, yield_then_meet, .others = {scheduling_meet_another, scheduling_meet_another}),
#else
    CASE("once", false, 2, yield_then_meet, .others = {scheduling_meet_another, scheduling_meet_another}),
#endif
    CASE("in-turn-2", true, 2, yield_then_meet, .others = {yield_then_meet, yield_then_meet}),
    CASE("in-the-way-2", true, 2, be_in_the_way),
    {0},
};
