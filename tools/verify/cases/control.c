/*
 * Control words belong to the task that has changed them, whatever yields came before: two tasks begin to keep
 * theirs; one of them has yielded plainly to a third, which keeps none.
 */
#include "scheduling.h"

#include "sched/control.h"
#include "sched/plain.h"
#include "sched/scheduler.h"

static atomic_bool b_yields, a_keeps, b_is_done;

static void keep(uint64_t words)
{
	task_keep_control();
	arch_control_set(words);
}

static void expect(uint64_t words)
{
	if (arch_control() != words)
		explore_fail("a task has the control words of another");
}

static bool plain_yields_here(void)
{
	return atomic_load_explicit(&scheduler_current()->plain, memory_order_relaxed) != PLAIN_NONE;
}

/* Changes nothing. */
static intptr_t be_c(void *unused)
{
	(void)unused;
	while (!b_is_done) {
		task_yield();
		expect(ARCH_CONTROL_DEFAULT);
	}
	return 7;
}

static intptr_t be_b(void *unused)
{
	(void)unused;
	struct task *c = scheduling_make(be_c, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	while (!plain_yields_here())
		task_yield();
	atomic_store_explicit(&b_yields, true, memory_order_relaxed);
	model_task_wait(scheduling_is_true, &a_keeps);
	keep(2);
	task_yield();
	expect(2);
	atomic_store_explicit(&b_is_done, true, memory_order_relaxed);
	scheduling_join(c, 7);
	return 7;
}

static intptr_t keep_twice(void *unused)
{
	(void)unused;
	struct task *b = scheduling_make(be_b, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	model_task_wait(scheduling_is_true, &b_yields);
	keep(1);
	atomic_store_explicit(&a_keeps, true, memory_order_relaxed);
	model_task_wait(scheduling_is_true, &b_is_done);
	expect(1);
	scheduling_join(b, 7);
	expect(1);
	scheduler_stop();
	return 0;
}

/* On one processor, where a yield to the only other task is plain. */
static intptr_t keep_none(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < 3; i++) {
		task_yield();
		expect(ARCH_CONTROL_DEFAULT);
	}
	return 7;
}

static intptr_t keep_alone(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(keep_none, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	while (!plain_yields_here())
		task_yield();
	keep(1);
	task_yield();
	expect(1);
	scheduling_join(other, 7);
	expect(1);
	scheduler_stop();
	return 0;
}

static const char *check_alone(void)
{
	return model_task_check(2);
}

static const char *check(void)
{
	return model_task_check(3);
}

/* ---- cases ---- */

#define CASE(title, count, longer, limit, chosen, ...) \
	SCHEDULING_CASE("control", title, count, longer, limit, chosen, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("alone", 1, false, 1, LOCAL, keep_alone, 2, .check = check_alone),
    CASE("twice", 2, false, 1, LOCAL, keep_twice, 3, .check = check),
    CASE("twice-2", 2, true, 2, LOCAL, keep_twice, 3, .check = check),
    {0},
};
