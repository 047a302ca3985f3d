/*
 * Ready queues, idling and waking, and the handshakes of tasks, with real tasks that switch: all of sched/ except
 * timers, the watchdog and memory allocation.
 */
#include "scheduling.h"

#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/scheduler.h"

/* ---- tasks ---- */

static intptr_t wake_another(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	scheduling_meet();
	scheduling_join(other, 7);
	scheduler_stop();
	return 0;
}

static intptr_t wake_bound(void *unused)
{
	(void)unused;
	int home = 1 - (int)explore_processor();
	struct task *other = scheduling_make(scheduling_meet_only, NULL, home);
	scheduling_meet();
	scheduling_join(other, 7);
	scheduler_stop();
	return 0;
}

static intptr_t yield_then_meet(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_yield();
	scheduling_meet();
	scheduling_join(other, 7);
	scheduler_stop();
	return 0;
}

static intptr_t wake_two(void *unused)
{
	(void)unused;
	struct task *one = scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	struct task *two = scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	scheduling_meet();
	task_detach(one);
	task_detach(two);
	scheduler_stop();
	return 0;
}

static intptr_t wake_next(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	scheduling_meet();
	task_detach(other);
	return 0;
}

static intptr_t wake_chain(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(wake_next, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	scheduling_meet();
	task_detach(other);
	scheduler_stop();
	return 0;
}

static intptr_t join_another(void *unused)
{
	(void)unused;
	scheduling_join(scheduling_make(scheduling_return_seven, NULL, HEDDLE_TASK_ANY_PROCESSOR), 7);
	scheduler_stop();
	return 0;
}

static intptr_t detach_another(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(scheduling_return_seven, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_detach(other);
	scheduler_stop();
	return 0;
}

static bool said;

static intptr_t say_and_resume(void *task)
{
	said = true;
	task_resume(task);
	return 7;
}

static intptr_t suspend_until_said(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(say_and_resume, task_current(), HEDDLE_TASK_ANY_PROCESSOR);
	while (!said)
		task_suspend();
	scheduling_join(other, 7);
	scheduler_stop();
	return 0;
}

static unsigned said_count;

static intptr_t count_and_resume(void *task)
{
	explore_pause();
	said_count++;
	task_resume(task);
	return 7;
}

static intptr_t suspend_until_both_said(void *unused)
{
	(void)unused;
	struct task *one = scheduling_make(count_and_resume, task_current(), HEDDLE_TASK_ANY_PROCESSOR);
	struct task *two = scheduling_make(count_and_resume, task_current(), HEDDLE_TASK_ANY_PROCESSOR);
	while (said_count < 2)
		task_suspend();
	scheduling_join(one, 7);
	scheduling_join(two, 7);
	scheduler_stop();
	return 0;
}

/* A task of low priority that reaches a check after an early switch was requested. It does not wait for a quantum
 * that ends anyway, so a lost request is noticed. */
static atomic_bool low_runs, high_ran;

static bool is_asked(void *scheduler)
{
	return ((struct scheduler *)scheduler)->asked || high_ran;
}

static intptr_t stay_low(void *unused)
{
	(void)unused;
	atomic_store_explicit(&low_runs, true, memory_order_relaxed);
	while (!atomic_load_explicit(&high_ran, memory_order_relaxed)) {
		model_task_wait(is_asked, scheduler_current());
		quantum_spent();
	}
	return 7;
}

static intptr_t run_high(void *unused)
{
	(void)unused;
	atomic_store_explicit(&high_ran, true, memory_order_relaxed);
	return 7;
}

/* Both processors are busy when the higher task is made: the one with the low task makes way. */
static void make_way(int processor)
{
	struct task *low = scheduling_make_at(HEDDLE_PRIORITY_IDLE, stay_low, NULL, processor);
	model_task_wait(scheduling_is_true, &low_runs);
	struct task *high = scheduling_make(run_high, NULL, processor);
	model_task_wait(scheduling_is_true, &high_ran);
	scheduling_join(low, 7);
	scheduling_join(high, 7);
	scheduler_stop();
}

static intptr_t make_way_bound(void *unused)
{
	(void)unused;
	make_way(1 - (int)explore_processor());
	return 0;
}

static intptr_t make_way_anywhere(void *unused)
{
	(void)unused;
	make_way(HEDDLE_TASK_ANY_PROCESSOR);
	return 0;
}

/* ---- cases ---- */

#define CASE(title, count, longer, limit, chosen, ...) \
	SCHEDULING_CASE("scheduler", title, count, longer, limit, chosen, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("wake-global", 2, false, 3, GLOBAL, wake_another, 2),
    CASE("wake-local", 2, false, 2, LOCAL, wake_another, 2),
    CASE("wake-bound-global", 2, false, 3, GLOBAL, wake_bound, 2),
    CASE("wake-bound-local", 2, false, 2, LOCAL, wake_bound, 2),
    CASE("yield-global", 2, false, 2, GLOBAL, yield_then_meet, 2),
    CASE("yield-local", 2, false, 2, LOCAL, yield_then_meet, 2),
    CASE("join-global", 2, false, 2, GLOBAL, join_another, 2),
    CASE("join-local", 2, false, 2, LOCAL, join_another, 2),
    CASE("detach-global", 2, false, 2, GLOBAL, detach_another, 2),
    CASE("detach-local", 2, false, 1, LOCAL, detach_another, 2),
    CASE("suspend-global", 2, false, 2, GLOBAL, suspend_until_said, 2),
    CASE("suspend-local", 2, false, 1, LOCAL, suspend_until_said, 2),
    CASE("suspend-twice-global", 2, false, 1, GLOBAL, suspend_until_both_said, 3),
    CASE("suspend-twice-local", 2, false, 1, LOCAL, suspend_until_both_said, 3),
    CASE("wake-two-global", 3, false, 1, GLOBAL, wake_two, 3),
    CASE("wake-two-local", 3, true, 1, LOCAL, wake_two, 3),
    CASE("wake-chain-global", 3, false, 1, GLOBAL, wake_chain, 3),
    CASE("wake-chain-local", 3, true, 1, LOCAL, wake_chain, 3),
    CASE("make-way-global", 2, false, 2, GLOBAL, make_way_anywhere, 3, true),
    CASE("make-way-local", 2, false, 1, LOCAL, make_way_anywhere, 3, true),
    CASE("make-way-bound-global", 2, false, 2, GLOBAL, make_way_bound, 3, true),
    CASE("make-way-bound-local", 2, false, 2, LOCAL, make_way_bound, 3, true),
    CASE("linger-global", 2, false, 3, GLOBAL, wake_another, 2, .linger = true),
    CASE("linger-local", 2, false, 2, LOCAL, wake_another, 2, .linger = true),

    CASE("linger-two-local", 3, true, 1, LOCAL, wake_two, 3, .linger = true),
    CASE("linger-two-foreign", 3, true, 1, LOCAL, wake_two, 3, .linger = true,
         .prepare = ready_expect_foreign),
    CASE("wake-two-foreign", 3, true, 1, LOCAL, wake_two, 3, .prepare = ready_expect_foreign),
    CASE("wake-global-all", 2, true, 0, GLOBAL, wake_another, 2),
    CASE("detach-global-all", 2, true, 0, GLOBAL, detach_another, 2),
    CASE("detach-local-2", 2, true, 2, LOCAL, detach_another, 2),
    CASE("suspend-twice-global-2", 2, true, 2, GLOBAL, suspend_until_both_said, 3),
    CASE("wake-local-all", 2, true, 0, LOCAL, wake_another, 2),
    CASE("linger-local-4", 2, true, 4, LOCAL, wake_another, 2, .linger = true),
    CASE("wake-bound-global-all", 2, true, 0, GLOBAL, wake_bound, 2),
    CASE("yield-global-all", 2, true, 0, GLOBAL, yield_then_meet, 2),
    CASE("join-global-all", 2, true, 0, GLOBAL, join_another, 2),
    CASE("suspend-global-all", 2, true, 0, GLOBAL, suspend_until_said, 2),
    CASE("suspend-local-all", 2, true, 0, LOCAL, suspend_until_said, 2),
    CASE("suspend-twice-local-4", 2, true, 4, LOCAL, suspend_until_both_said, 3),
    CASE("wake-two-global-2", 3, true, 2, GLOBAL, wake_two, 3),
    CASE("wake-two-local-3", 3, true, 3, LOCAL, wake_two, 3),
    CASE("wake-chain-global-2", 3, true, 2, GLOBAL, wake_chain, 3),
    CASE("wake-chain-local-3", 3, true, 3, LOCAL, wake_chain, 3),
    {0},
};
