#include "sched/fault.h"

#include "kernel/console.h"
#include "kernel/format.h"
#include "sched/generator.h"
#include "sched/growth.h"
#include "sched/scheduler.h"
#include "sched/switch.h"

static void describe(char *buffer, size_t size)
{
	struct scheduler *scheduler = scheduler_current();
	if (!scheduler)
		format_text(buffer, size, "no task yet");
	else if (scheduler->current == scheduler->idle_task)
		format_text(buffer, size, "the idle task");
	else
		format_text(buffer, size, "task %s (%u)", scheduler->current->name,
		            scheduler->current->pooled.number);
}

static bool stack_bounds(uintptr_t address, uintptr_t *low, uintptr_t *high, bool *guarded)
{
	struct scheduler *scheduler = scheduler_current();
	return scheduler && generator_stack_around(scheduler->current, address, low, high, guarded);
}

/* The task ends here, with a report; the dead task's stack is free to run its end on. */
static bool task_fault(const struct fault *fault, struct fault_continuation *continuation)
{
	struct scheduler *scheduler = scheduler_current();
	char text[256];
	if (!scheduler || scheduler->current == scheduler->idle_task)
		return false;
	struct task *task = scheduler->current;
	if (!task->guarded)
		stack_check(task); /* what lies below is other tasks' memory: then more than this task is damaged */
	stack_canary_place(task); /* used up to the guard, which held, a stack has lost it */
	uintptr_t low = (uintptr_t)task->context.stack_low, high = low;
	bool guarded;
	stack_bounds(fault->place.stack_pointer, &low, &high, &guarded);
	panic_describe_fault(fault, text, sizeof(text));
	log_error("task %s (%u) ends: %s", task->name, task->pooled.number, text);
	panic_registers(fault, log_error);
	panic_back_trace(&fault->place, low, high, log_error);
	continuation->entry = task_exit_by_fault;
	continuation->stack_pointer = stack_reset(task);
	return true;
}

const struct panic_scheduler fault_interface = {describe, stack_bounds, task_fault};

_Noreturn void stack_overflow(struct task *task)
{
	panic("stack overflow: task %s (%u) used more than its %lu bytes of stack; what lay below is damaged",
	      task->name, task->pooled.number, (unsigned long)task->context.stack_size);
}
