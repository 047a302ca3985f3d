/*
 * A processor's slot for a task that goes before others (run_next.h): the task runs once, on its home processor or on
 * one that has nothing else to do, however busy its home is.
 */
#include "scheduling.h"

#include "sched/quantum.h"
#include "sched/run_next.h"
#include "sched/switch.h"

static struct task *b;
static atomic_bool b_runs, b_is_left, b_is_back, c_runs;
static int c_home;
static int b_is_bound = HEDDLE_TASK_ANY_PROCESSOR;

/* ---- tasks ---- */

static void finalize_leave(struct task *left, void *unused)
{
	(void)left, (void)unused;
	/* release: the task has left its stack. */
	atomic_store_explicit(&b_is_left, true, memory_order_release);
}

/* Runs where it may, then waits to be sent somewhere. */
static intptr_t be_b(void *unused)
{
	(void)unused;
	switch_away(finalize_leave, NULL);
	atomic_store_explicit(&b_is_back, true, memory_order_relaxed);
	if (b_is_bound != HEDDLE_TASK_ANY_PROCESSOR && explore_processor() != (unsigned)b_is_bound)
		explore_fail("a bound task runs elsewhere");
	return 7;
}

static void prepare_b(enum heddle_priority priority, int bound)
{
	b_is_bound = bound;
	b = scheduling_make_at(priority, be_b, NULL, bound);
	model_task_wait(scheduling_is_true, &b_is_left);
}

static void end(void)
{
	model_task_wait(scheduling_is_true, &b_is_back);
	scheduling_join(b, 7);
	scheduler_stop();
}

/* The home is busy with the sending task. */
static intptr_t send_here(void *unused)
{
	(void)unused;
	prepare_b(HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_ANY_PROCESSOR);
	run_next_publish(b, explore_processor());
	end();
	return 0;
}

/* The home goes on with the sending task, so that another processor takes it. */
static intptr_t send_after_one(void *unused)
{
	(void)unused;
	prepare_b(HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_ANY_PROCESSOR);
	run_next_after_one(b);
	end();
	return 0;
}

/* The home is about to be idle, or is idle. */
static intptr_t send_there(void *unused)
{
	(void)unused;
	prepare_b(HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_ANY_PROCESSOR);
	run_next_publish(b, 1 - explore_processor());
	end();
	return 0;
}

/* The sender has nothing to do afterwards, and may not take it. */
static intptr_t send_bound(void *unused)
{
	(void)unused;
	unsigned home = 1 - explore_processor();
	prepare_b(HEDDLE_PRIORITY_NORMAL, (int)home);
	run_next_publish(b, home);
	scheduling_join(b, 7);
	scheduler_stop();
	return 0;
}

static intptr_t be_busy(void *unused)
{
	(void)unused;
	atomic_store_explicit(&c_runs, true, memory_order_relaxed);
	model_task_wait(scheduling_is_true, &b_is_back);
	return 7;
}

/* The home is busy with another task, and the sender has nothing to do afterwards. */
static intptr_t send_to_busy(void *unused)
{
	(void)unused;
	unsigned home = 1 - explore_processor();
	prepare_b(HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_ANY_PROCESSOR);
	struct task *c = scheduling_make(be_busy, NULL, (int)home);
	model_task_wait(scheduling_is_true, &c_runs);
	run_next_publish(b, home);
	scheduling_join(b, 7);
	scheduling_join(c, 7);
	scheduler_stop();
	return 0;
}

static void finalize_send(struct task *left, void *unused)
{
	(void)unused;
	run_next_publish(left, processor_current()->index);
}

/* The home has had nothing else to do, and is about to look for this task. */
static intptr_t send_itself(void *unused)
{
	(void)unused;
	c_home = (int)explore_processor();
	atomic_store_explicit(&b_runs, true, memory_order_release);
	switch_away(finalize_send, NULL);
	atomic_store_explicit(&b_is_back, true, memory_order_relaxed);
	return 7;
}

/* But then the home finds a higher task, which goes on until the other is back; and here is nothing to do. */
static intptr_t make_higher(void *unused)
{
	(void)unused;
	b = scheduling_make_at(HEDDLE_PRIORITY_IDLE, send_itself, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	model_task_wait(scheduling_is_true, &b_runs);
	struct task *c = scheduling_make(be_busy, NULL, c_home);
	scheduling_join(b, 7);
	scheduling_join(c, 7);
	scheduler_stop();
	return 0;
}

/* The home or an idle processor takes it: not both. */
static intptr_t send_and_yield(void *unused)
{
	(void)unused;
	prepare_b(HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_ANY_PROCESSOR);
	run_next_publish(b, explore_processor());
	task_yield();
	end();
	return 0;
}

/* ---- one processor ---- */

static intptr_t come_before_b(void *unused)
{
	(void)unused;
	if (b_is_back)
		explore_fail("no other task came before it");
	return 7;
}

/* b waits for one of the others, though the slot has the next turn. */
static intptr_t send_behind_one(void *unused)
{
	(void)unused;
	b = scheduling_make_at(HEDDLE_PRIORITY_NORMAL, be_b, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	while (!b_is_left)
		task_yield();
	struct task *c = scheduling_make(come_before_b, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	scheduler_current()->picks = 0; /* so that the next one is neither a turn of the levels nor a chore */
	run_next_after_one(b);
	scheduling_join(b, 7);
	scheduling_join(c, 7);
	scheduler_stop();
	return 0;
}

static intptr_t yield_until_back(void *unused)
{
	(void)unused;
	while (!b_is_back)
		task_yield();
	return 7;
}

/* Higher tasks are always ready: the lower task still has its turn. */
static intptr_t send_low(void *unused)
{
	b = scheduling_make_at(HEDDLE_PRIORITY_NORMAL, be_b, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	struct task *c = scheduling_make(yield_until_back, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	while (!b_is_left)
		task_yield();
	b->schedule.priority = LEVEL_LOWEST;
	run_next_publish(b, 0);
	yield_until_back(unused);
	scheduling_join(b, 7);
	scheduling_join(c, 7);
	scheduler_stop();
	return 0;
}

/* ---- cases ---- */

#define CASE(title, count, longer, limit, chosen, ...) \
	SCHEDULING_CASE("run_next", title, count, longer, limit, chosen, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("here-local", 2, false, 1, LOCAL, send_here, 2),
    CASE("here-global", 2, false, 1, GLOBAL, send_here, 2),
    CASE("after-one-local", 2, false, 1, LOCAL, send_after_one, 2),
    CASE("after-one-global", 2, false, 1, GLOBAL, send_after_one, 2),
    CASE("behind-one-local", 1, false, 0, LOCAL, send_behind_one, 3),
    CASE("behind-one-global", 1, false, 0, GLOBAL, send_behind_one, 3),
    CASE("there-local", 2, false, 2, LOCAL, send_there, 2),
    CASE("there-global", 2, false, 1, GLOBAL, send_there, 2),
    CASE("bound-local", 2, false, 1, LOCAL, send_bound, 2),
    CASE("busy-local", 2, false, 1, LOCAL, send_to_busy, 3),
    CASE("busy-global", 2, false, 1, GLOBAL, send_to_busy, 3),
    CASE("higher-local", 2, false, 1, LOCAL, make_higher, 3),
    CASE("higher-global", 2, false, 1, GLOBAL, make_higher, 3),
    CASE("yield-local", 2, false, 1, LOCAL, send_and_yield, 2),
    CASE("yield-global", 2, false, 1, GLOBAL, send_and_yield, 2),
    CASE("low-local", 1, false, 0, LOCAL, send_low, 3),
    CASE("low-global", 1, false, 0, GLOBAL, send_low, 3),

    CASE("here-local-3", 2, true, 3, LOCAL, send_here, 2),
    CASE("there-global-3", 2, true, 3, GLOBAL, send_there, 2),
    CASE("bound-local-2", 2, true, 2, LOCAL, send_bound, 2),
    CASE("busy-local-2", 2, true, 2, LOCAL, send_to_busy, 3),
    CASE("yield-local-2", 2, true, 2, LOCAL, send_and_yield, 2),
    CASE("yield-global-3", 2, true, 3, GLOBAL, send_and_yield, 2),
    {0},
};
