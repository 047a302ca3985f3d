/*
 * Deadlines on the whole scheduler, with the real timers, its chores and its turns: a task sleeps and wakes, whatever
 * the processor of its timer does; but not after scheduler_stop(), if nothing else is ready. The clock advances while
 * a processor halts.
 */
#include "scheduling.h"

#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/scheduler.h"
#include "sched/timer.h"
#include "sched/timer_watch.h"

#define SOON  1
#define NEVER (MODEL_CLOCK_END + 1)

static atomic_bool is_awake, is_left;
static unsigned home; /* of the sleeping task */

static void prepare(void)
{
	for (unsigned i = 0; i < processor_count; i++)
		explore_name(&processors[i].scheduler->watched, sizeof(uint64_t), "watched%u", i);
}

static intptr_t sleep_here(void *unused)
{
	(void)unused;
	home = explore_processor();
	atomic_store_explicit(&is_left, true, memory_order_relaxed);
	if (task_sleep_until(SOON) != HEDDLE_OK)
		explore_fail("a task cannot sleep");
	if (model_clock < SOON)
		explore_fail("a task was woken too early");
	atomic_store_explicit(&is_awake, true, memory_order_relaxed);
	return 7;
}

/* Monopolizes its processor, without checks. */
static intptr_t be_busy(void *unused)
{
	(void)unused;
	model_task_wait(scheduling_is_true, &is_awake);
	return 7;
}

static void end(struct task *first, struct task *second)
{
	scheduling_join(first, 7);
	if (second)
		scheduling_join(second, 7);
	scheduler_stop();
}

static intptr_t sleep_alone(void *unused)
{
	sleep_here(unused);
	scheduler_stop();
	return 0;
}

/* The busy task comes to the processor of the other's timer, to another, or was there before. */
static intptr_t sleep_beside_busy(void *unused)
{
	(void)unused;
	struct task *sleeper = scheduling_make(sleep_here, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	struct task *busy = scheduling_make(be_busy, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	end(sleeper, busy);
	return 0;
}

/* Its timer is on an otherwise idle processor, which sleeps for ever without work. */
static intptr_t busy_later(void *unused)
{
	(void)unused;
	struct task *sleeper = scheduling_make(sleep_here, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	model_task_wait(scheduling_is_true, &is_left);
	end(scheduling_make(be_busy, NULL, (int)home), sleeper);
	return 0;
}

/* The processor that watches becomes busy as well. */
static intptr_t busy_twice(void *unused)
{
	(void)unused;
	struct task *sleeper = scheduling_make(sleep_here, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	model_task_wait(scheduling_is_true, &is_left);
	task_detach(scheduling_make(be_busy, NULL, (int)home));
	task_detach(scheduling_make(be_busy, NULL, 3 - (int)home - (int)explore_processor()));
	end(sleeper, NULL);
	return 0;
}

/* Yielding processors handle the deadline themselves; with only one processor no other can be late. */
static intptr_t yield_until_awake(void *unused)
{
	(void)unused;
	for (unsigned yields = 0; !is_awake; yields++) {
		if (processor_count == 1 && yields > 2 * READY_TURN_PICK)
			explore_fail("a task sleeps on while others yield");
		if (is_left)
			model_clock = SOON;
		task_yield();
	}
	return 7;
}

static intptr_t sleep_beside_yields(void *unused)
{
	struct task *sleeper = scheduling_make(sleep_here, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	struct task *other = scheduling_make(yield_until_awake, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	yield_until_awake(unused);
	end(sleeper, other);
	return 0;
}

/* The machine stops: sleeping tasks may wake before and then end, or are left. */
static intptr_t stop_while(task_function sleep)
{
	task_detach(scheduling_make(sleep, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	scheduler_stop();
	return 0;
}

static intptr_t stop_while_asleep(void *unused)
{
	(void)unused;
	return stop_while(sleep_here);
}

static const char *check_left(void)
{
	return is_left ? NULL : "a task that was ready has not run";
}

static const char *check_stopped(void)
{
	return is_awake ? model_task_check(2) : check_left();
}

/* No task waits for it. */
static intptr_t sleep_on(void *unused)
{
	(void)unused;
	atomic_store_explicit(&is_left, true, memory_order_relaxed);
	task_sleep_until(NEVER);
	explore_fail("a task was woken too early");
}

static intptr_t stop_while_asleep_for_long(void *unused)
{
	(void)unused;
	return stop_while(sleep_on);
}

/* Another processor must not have ended by itself then. */
static intptr_t sleep_and_send(void *unused)
{
	sleep_here(unused);
	task_detach(scheduling_make(scheduling_return_seven, NULL, (int)(1 - explore_processor())));
	return 0;
}

static intptr_t stop_before_sent(void *unused)
{
	(void)unused;
	return stop_while(sleep_and_send);
}

static const char *check_sent(void)
{
	return is_awake ? model_task_check(3) : check_left();
}

/* ---- cases ---- */

#define CASE(title, count, longer, limit, chosen, ...) \
	SCHEDULING_CASE("deadline", title, count, longer, limit, chosen, __VA_ARGS__, .prepare = prepare)

const struct explore_case explore_cases[] = {
    CASE("alone", 2, false, 1, LOCAL, sleep_alone, 1),
    CASE("beside-busy", 2, false, 1, LOCAL, sleep_beside_busy, 3),
    CASE("busy-later", 2, false, 1, LOCAL, busy_later, 3),
    CASE("busy-later-global", 2, false, 1, GLOBAL, busy_later, 3),
    CASE("beside-yields", 1, false, 0, LOCAL, sleep_beside_yields, 3),
    CASE("stop", 2, false, 1, LOCAL, stop_while_asleep, 2, .check = check_stopped),
    CASE("stop-asleep", 2, false, 1, LOCAL, stop_while_asleep_for_long, 2, .check = check_left),
    CASE("stop-sent", 2, false, 1, LOCAL, stop_before_sent, 3, .check = check_sent),

    CASE("busy-twice", 3, true, 1, GLOBAL, busy_twice, 4),
    CASE("beside-yields-two", 2, true, 1, LOCAL, sleep_beside_yields, 3),
    CASE("alone-2", 2, true, 2, LOCAL, sleep_alone, 1),
    CASE("stop-3", 2, true, 3, LOCAL, stop_while_asleep, 2, .check = check_stopped),
    CASE("beside-busy-2", 2, true, 2, LOCAL, sleep_beside_busy, 3),
    CASE("busy-later-2", 2, true, 2, LOCAL, busy_later, 3),
    {0},
};
