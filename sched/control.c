#include "sched/control.h"

#include "sched/scheduler.h"

void control_exchange(struct task *left, struct task *next)
{
	if (left->schedule.keeps)
		left->schedule.keeps = arch_kept_leave(&left->kept, left->schedule.keeps);
	if (next->schedule.keeps)
		next->schedule.keeps = arch_kept_return(&next->kept, next->schedule.keeps);
}

static void keep(uint8_t what)
{
	struct scheduler *scheduler = scheduler_current();
	if (scheduler)
		scheduler->current->schedule.keeps |= what;
}

struct arch_kept *control_keep_signals(void)
{
	struct scheduler *scheduler = scheduler_current();
	if (!scheduler || scheduler->current == scheduler->idle_task)
		return NULL;
	struct task *task = scheduler->current;
	if (!(task->schedule.keeps & ARCH_KEEPS_SIGNALS))
		task->kept.blocked = task->kept.pending = 0;
	task->schedule.keeps |= ARCH_KEEPS_SIGNALS;
	return &task->kept;
}

void task_keep_control(void)
{
	keep(ARCH_KEEPS_CONTROL);
}

void control_keep_exceptions(void)
{
	keep(ARCH_KEEPS_EXCEPTIONS);
}

void heddle_keep_error(void)
{
	keep(ARCH_KEEPS_ERROR);
}
