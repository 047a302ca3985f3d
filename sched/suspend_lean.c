/*
 * The suspension for callers that know that all registers are lost. As in yield.c, calls here preserve none (build.mk).
 * Nothing returns here, so that the processor's predictions of returns stay right for the next task.
 */
#include "sched/suspend.h"

_Noreturn void arch_suspend(void *stack_pointer)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	task->context.stack_pointer = stack_pointer;
	if (suspend_begin(task))
		switch_saved(scheduler, task, wait_suspend);
	arch_context_enter(&task->context);
}
