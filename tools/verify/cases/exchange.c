/*
 * A task that makes way for another and is ready itself, by a switch without a finalizer (sched/switch.h): no other
 * processor gets it before its stack was left, and then one with nothing to do gets it. In the end each of the two
 * tasks waits until the other waits as well, so no processor may be idle while one is ready.
 */
#include "scheduling.h"

#include "sched/scheduler.h"
#include "sched/switch.h"
#include "sched/wait.h"

static bool plainly; /* at least once */

static void prepare(void)
{
	atomic_store_explicit(&scheduler_stopping, true, memory_order_relaxed);
	command_line.chain = UINT32_MAX;
}

static bool is_suspended(void *task)
{
	return wait_phase(task) == WAIT_SUSPENDED;
}

/* Its wait ends, and it runs in our place. */
static void exchange_with_suspended(struct task *next)
{
	struct scheduler *scheduler = scheduler_current();
	uint64_t word = atomic_load_explicit(&next->wait.word, memory_order_relaxed);
	if (!atomic_compare_exchange_strong_explicit(&next->wait.word, &word,
	                                             wait_moved(word, WAIT_SUSPENDED, WAIT_DONE),
	                                             memory_order_acq_rel, memory_order_relaxed))
		explore_fail("its wait was ended by another");
	if (switch_may_exchange(scheduler, scheduler->current, next)) {
		plainly = true;
		switch_exchange(scheduler, scheduler->current, next, false);
	} else {
		switch_to(next, finalize_publish, NULL);
	}
}

static intptr_t suspend_then_meet(void *unused)
{
	task_suspend();
	return scheduling_meet_another(unused);
}

static intptr_t exchange_then_meet(void *unused)
{
	struct task *next = scheduling_make(suspend_then_meet, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_detach(next);
	task_yield();
	model_task_wait(is_suspended, next);
	exchange_with_suspended(next);
	return scheduling_meet_another(unused);
}

static intptr_t suspend_only(void *unused)
{
	(void)unused;
	return task_suspend();
}

static intptr_t exchange_only(void *unused)
{
	(void)unused;
	struct task *next = scheduling_make(suspend_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_yield();
	exchange_with_suspended(next);
	scheduling_join(next, HEDDLE_OK);
	if (!plainly)
		explore_fail("that was no plain way");
	return 0;
}

/* ---- cases ---- */

static const char *check(void)
{
	return model_task_check(2);
}

#define CASE(title, count, longer, limit, first)                                                  \
	SCHEDULING_CASE("exchange", title, count, longer, limit, LOCAL, first, 2, .prepare = prepare, \
	                .check = check)

const struct explore_case explore_cases[] = {
    CASE("alone", 1, false, 1, exchange_only),
    CASE("meet", 2, false, 1, exchange_then_meet),
    CASE("meet-2", 2, true, 2, exchange_then_meet),
    {0},
};
