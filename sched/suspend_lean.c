/*
 * The suspension for callers that know that all registers are lost. As in yield.c, calls here preserve none (build.mk).
 * Nothing returns here, so that the processor's predictions of returns stay right for the next task.
 */
#include "sched/suspend.h"

/* Every way but the plain one. It does not return, but arch_suspend() does not know that: for a call that does not
 * return the compiler would make a frame, and to this it jumps. */
void suspend_full(struct scheduler *scheduler, struct task *task);
void suspend_otherwise(struct scheduler *scheduler, struct task *task) STACK_ENTRY_OF(suspend_full);

/* Perhaps only the shared and the newest tasks are left to take. Nothing is kept over a call here, where little stack
 * is left. */
__attribute__((noinline)) static void suspend_refilled(void)
{
	bool refilled = plain_refill(scheduler_current());
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	if (refilled)
		arch_suspend(task->context.stack_pointer);
	else
		suspend_otherwise(scheduler, task);
}

void suspend_full(struct scheduler *scheduler, struct task *task)
{
	if (suspend_begin(task))
		switch_saved(scheduler, task, wait_suspend);
	ready_share(scheduler); /* what suspend_refilled() has moved */
	arch_context_enter(&task->context);
}

/* On one processor no other can resume the task before its stack was left. */
_Noreturn SWITCH_INLINE void leave_alone(struct scheduler *scheduler, struct task *task, struct task *next)
{
	wait_suspend_alone(task);
	stack_check(task);
	switch_plainly(scheduler, task, next);
	arch_context_enter(&next->context);
}

void arch_suspend(void *stack_pointer)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	task->context.stack_pointer = stack_pointer;
	if (__builtin_expect(arch_is_uncooperative() || wait_may_be_requested(task), 0))
		return suspend_otherwise(scheduler, task);
	struct task *next = plain_take(scheduler, task);
	if (__builtin_expect(!next, 0))
		return plain_is_of(scheduler, task) ? suspend_refilled() : suspend_otherwise(scheduler, task);
	trace_wait(&suspended);
	if (__builtin_expect(processor_is_alone(), 1))
		leave_alone(scheduler, task, next);
	switch_saved_to(scheduler, task, next, wait_suspend);
}
