/*
 * A wait that an outside thread ends: the task goes on once, whether the processor is busy or halts, with a
 * cancellation at any moment; and after that no thread looks at its wait any more. The last virtual processor is that
 * thread.
 */
#include "scheduling.h"

#include "sched/external_wait.h"
#include "sched/injection.h"
#include "sched/ready.h"
#include "sched/scheduler.h"
#include "sched/switch.h"
#include "sched/wait.h"

static _Atomic(struct external_wait *) slot; /* what the outside thread knows of */
static struct external_wait wait;
static bool is_over;

static const struct wait_object object = {.kind = "case"};

static void finalize(struct task *left, void *unused)
{
	uint64_t ticket = external_wait_publish(&wait, left);
	(void)unused;
	atomic_store(&slot, &wait);
	wait_arm(left, ticket);
}

static void wait_for_outside(enum heddle_error begun)
{
	if (begun == HEDDLE_OK) {
		switch_away(finalize, NULL);
		begun = wait_finish();
		struct external_wait *own = &wait;
		if (begun == HEDDLE_CANCELLED && !atomic_compare_exchange_strong(&slot, &own, NULL))
			external_wait_settle(&wait);
		else if (begun != HEDDLE_CANCELLED && begun != HEDDLE_OK)
			explore_fail("the wait ends with neither what the outside said nor a cancellation");
	}
	explore_free(&wait, sizeof wait);
	is_over = true;
}

static intptr_t wait_kept(void *unused)
{
	(void)unused;
	wait_for_outside(wait_begin_kept(&object));
	return 7;
}

static intptr_t wait_cancelled(void *unused)
{
	(void)unused;
	wait_for_outside(wait_begin(&object, HEDDLE_NO_DEADLINE));
	return 7;
}

static intptr_t cancel(void *unused)
{
	(void)unused;
	struct task *waiter = scheduling_make(wait_cancelled, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_yield(); /* so that it waits by then, if there is no other processor */
	task_cancel(waiter);
	scheduling_join(waiter, 7);
	return 7;
}

static bool is_there_or_over(void *unused)
{
	(void)unused;
	return atomic_load(&slot) || is_over;
}

static bool has_ended(void *unused)
{
	(void)unused;
	return is_over;
}

/* As a thread that looks for what is there. */
static void end_it(void)
{
	explore_wait(is_there_or_over, NULL);
	struct external_wait *taken = atomic_exchange(&slot, NULL);
	if (taken)
		external_wait_end(taken, HEDDLE_OK);
	explore_wait(has_ended, NULL);
	scheduler_stop();
	injection_close();
}

/* As a processor that finds out by itself. */
static void look(void *unused)
{
	struct external_waits ended = {NULL, NULL};
	struct external_wait *taken = atomic_exchange(&slot, NULL);
	(void)unused;
	if (taken)
		external_wait_gather(&ended, taken, HEDDLE_OK);
	external_wait_end_here(&ended);
}

static void prepare_look(void)
{
	injection_ask(look);
}

static void program(const struct explore_case *explored, unsigned processor)
{
	if (processor == processor_count)
		end_it();
	else
		scheduling_program(explored, processor);
}

static void set_up(const struct explore_case *explored)
{
	processor_count = explored->processors - 1;
	scheduling_set_up(explored);
	injection_open();
}

#define CASE(title, count, longer, limit, chosen, ...)                                              \
	{                                                                                               \
		.name = "external_wait." title, .processors = count, .long_run = longer, .switches = limit, \
		.script = &(struct scheduling){SCHEDULER_##chosen, __VA_ARGS__}, .set_up = set_up,          \
		.program = program, .check = scheduling_check                                               \
	}

const struct explore_case explore_cases[] = {
    CASE("kept", 2, false, 3, LOCAL, wait_kept, 1),
    CASE("cancelled", 2, false, 3, LOCAL, cancel, 2),
    CASE("here", 2, false, 2, LOCAL, wait_kept, 1, .prepare = prepare_look),
    CASE("here-cancelled", 3, false, 1, LOCAL, cancel, 2, .prepare = prepare_look),
    CASE("global", 2, false, 2, GLOBAL, cancel, 2),
    CASE("two-processors", 3, false, 1, LOCAL, cancel, 2),
    CASE("two-processors-longer", 3, true, 2, LOCAL, cancel, 2),
    {0},
};
