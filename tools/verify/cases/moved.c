/*
 * Tasks that their processor moves within its local queue while an idle one looks there for the last time: that look
 * may miss them, so the idle one looks again afterwards. A running task waits until another runs as well, so no
 * processor may be idle while a task waits.
 *
 * Here a processor announces itself without looking first (explored/). In the schedules that matter that look would
 * find nothing: there the tasks come between the two.
 */
#include "scheduling.h"

#include "sched/idle.h"
#include "sched/scheduler.h"

static void prepare(void)
{
	atomic_store_explicit(&scheduler_stopping, true, memory_order_relaxed);
}

/* Or was given one of the tasks. */
static bool other_rests(void *other)
{
	return scheduling_met() > 0 || idle_set.words[0].bits & idle_bit(*(unsigned *)other);
}

static void wait_for_other(void)
{
	unsigned other = 1 - explore_processor();
	model_task_wait(other_rests, &other);
}

/* ---- by the end of a task, which leaves two: they become the oldest ---- */

#if LOCAL_BLOCK != 2
static intptr_t end_late(void *unused)
{
	(void)unused;
	wait_for_other();
	return 0;
}

static intptr_t make_three(void *unused)
{
	(void)unused;
	task_detach(scheduling_make(end_late, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	task_detach(scheduling_make(scheduling_meet_another, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	task_detach(scheduling_make(scheduling_meet_another, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	return 0;
}

/* ---- by a wait, which leaves two: they become the oldest ---- */

static intptr_t wait_late(void *unused)
{
	(void)unused;
	wait_for_other();
	task_suspend();
	return 0;
}

static intptr_t meet_then_resume(void *task)
{
	scheduling_meet_another(NULL);
	task_resume(task);
	return 0;
}

static intptr_t make_three_and_wait(void *unused)
{
	(void)unused;
	struct task *waiting = scheduling_make(wait_late, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_detach(scheduling_make(meet_then_resume, waiting, HEDDLE_TASK_ANY_PROCESSOR));
	task_detach(waiting);
	task_detach(scheduling_make(scheduling_meet_another, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	return 0;
}

/* ---- by a yield: the third one's, with two that have yielded before it ---- */

static intptr_t yield_then_meet(void *unused)
{
	task_yield();
	return scheduling_meet_another(unused);
}

static intptr_t yield_late(void *unused)
{
	wait_for_other();
	return yield_then_meet(unused);
}

static intptr_t make_two_and_yield(void *unused)
{
	task_detach(scheduling_make(yield_then_meet, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	task_detach(scheduling_make(yield_late, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	return yield_then_meet(unused);
}

#	define CASES                                                                     \
		CASE("at-the-end", 4, make_three), CASE("by-a-wait", 4, make_three_and_wait), \
		    CASE("by-a-yield", 3, make_two_and_yield)
#else

/* ---- by a return: a task that yields completes a block ---- */

static intptr_t make_two_and_yield(void *unused)
{
	task_detach(scheduling_make(scheduling_meet_another, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	task_detach(scheduling_make(scheduling_meet_another, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	wait_for_other();
	task_yield();
	return scheduling_meet_another(unused);
}

#	define CASES CASE("by-a-return", 3, make_two_and_yield)
#endif

/* ---- cases ---- */

#define CASE(title, tasks, first) \
	SCHEDULING_CASE("moved", title, 2, false, 2, LOCAL, first, tasks, .prepare = prepare)

const struct explore_case explore_cases[] = {
    CASES,
    {0},
};
