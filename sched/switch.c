#include "sched/switch.h"

static struct task *next_of_all(struct scheduler *scheduler)
{
	struct task *next = scheduler->owed ? owed_leave(scheduler) : NULL;
	if (!next)
		next = ready_take(scheduler, LEVEL_LOWEST);
	counter_add(&scheduler->counters.switches, 1);
	return next ? next : scheduler->idle_task;
}

struct task *switch_take_less_plainly(struct scheduler *scheduler, const struct task *left)
{
	return scheduler->owed ? owed_leave_plainly(scheduler, left) : plain_take_refilled(scheduler, left);
}

struct arch_context *switch_choose(void)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *next = plain_take_any(scheduler);
	if (!next)
		next = next_of_all(scheduler);
	switch_begin(scheduler, next);
	return &next->context;
}
