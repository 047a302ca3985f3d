#include "sched/fault.h"

#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/memory.h"
#include "sched/generator.h"
#include "sched/growth.h"
#include "sched/scheduler.h"
#include "sched/stack.h"
#include "sched/switch.h"

static void fault_describe(char *buffer, size_t size)
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

static void fault_report(const struct task *task, const struct fault *fault, uintptr_t low, uintptr_t high)
{
	char text[256];
	panic_describe_fault(fault, text, sizeof(text));
	log_error("task %s (%u) ends: %s", task->name, task->pooled.number, text);
	panic_registers(fault, log_error);
	panic_back_trace(&fault->place, low, high, log_error);
}

/* End the task, with a report. Its own stack is free now, and its end runs there. */
static bool task_fault(const struct fault *fault, struct fault_continuation *continuation)
{
	struct scheduler *scheduler = scheduler_current();
	if (!scheduler || scheduler->current == scheduler->idle_task || command_line.fault == FAULT_ENDS_MACHINE)
		return false;
	struct task *task = scheduler->current;
	stack_check(task);        /* the memory below may be other tasks': then more than this task is damaged */
	stack_canary_place(task); /* a stack that was used up to its guard has overwritten it */
	uintptr_t low = (uintptr_t)task->context.stack_low, high = low;
	bool guarded;
	stack_bounds(fault->place.stack_pointer, &low, &high, &guarded);
	fault_report(task, fault, low, high);
	*continuation = (struct fault_continuation){task_exit_by_fault, stack_reset(task)};
	return true;
}

static bool is_around(const struct stack *stack, uintptr_t address)
{
	uintptr_t guard = (uintptr_t)stack->low - arch_stack_guard;
	return stack->guarded && address - guard < arch_stack_guard + stack->size;
}

/* The guarded stack that holds the address, or whose guard does: the task's own, or that of one of its generators. */
static struct stack *whole_stack(const struct task *task, uintptr_t address)
{
	struct stack *stack = task->generator_stacks;
	if (task->stack && is_around(task->stack, address))
		return task->stack;
	while (stack && !is_around(stack, address))
		stack = stack->next;
	return stack;
}

/* The stack of the task itself now includes what it was lent below. */
static void stack_extend(struct task *task, uintptr_t address)
{
	uintptr_t low = address & ~(uintptr_t)(PAGE_SIZE - 1);
	task->context.stack_size += (uintptr_t)task->context.stack_low - low;
	task->context.stack_low = (void *)low;
	stack_canary_place(task);
}

/* A function of Heddle that the task has called at the end of its stack must not be stopped in the middle. It is lent
 * the stack that it needs; when it returns, the task ends. */
static bool stack_lend(const struct fault *fault)
{
	struct scheduler *scheduler = scheduler_current();
	if (!scheduler || scheduler->current == scheduler->idle_task || !fault->has_address ||
	    arch_is_user_code(fault->place.instruction) || command_line.fault == FAULT_ENDS_MACHINE)
		return false;
	struct task *task = scheduler->current;
	struct stack *stack = whole_stack(task, fault->address);
	if (!stack || fault->address >= (uintptr_t)stack->low ||
	    whole_stack(task, fault->place.stack_pointer) != stack)
		return false;
	uintptr_t low = (uintptr_t)stack->low - arch_stack_guard, high = (uintptr_t)stack->low + stack->size;
	uintptr_t *back = arch_return_to_task(&fault->place, low, high);
	if (!back || !arch_stack_lend(stack->low, fault->address))
		return false;
	if (*back != (uintptr_t)arch_return_overflowed)
		fault_report(task, fault, low, high);
	*back = (uintptr_t)arch_return_overflowed;
	stack->lent = true;
	if (stack == task->stack)
		stack_extend(task, fault->address);
	return true;
}

const struct panic_scheduler fault_interface = {fault_describe, stack_bounds, task_fault, stack_lend};

/* Called when that function has returned. */
_Noreturn void stack_overflowed(void)
{
	struct task *task = task_current();
	arch_stack_abandon(stack_reset(task), task_exit_by_fault);
}

_Noreturn void stack_overflow(struct task *task)
{
	panic("stack overflow: task %s (%u) used more than its %lu bytes of stack; what lay below is damaged",
	      task->name, task->pooled.number, (unsigned long)task->context.stack_size);
}
