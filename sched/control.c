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
