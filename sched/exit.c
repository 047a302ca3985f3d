/*
 * The end of a task on the plain way (plain.h): it has touched nothing, holds no mutex, and the next task is at hand.
 * All registers are lost here, as nothing comes back (build.mk).
 */
#include "sched/switch.h"

/* Every way but the plain one. It does not return, but the compiler does not know that: it would make a frame. */
void exit_full(intptr_t result) STACK_ENTRY_OF(task_exit_full);

void exit_plainly(intptr_t result)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	if (__builtin_expect(arch_is_uncooperative() || task->held || task->touched, 0))
		return exit_full(result);
	struct task *next = plain_take(scheduler, task);
	if (__builtin_expect(!next, 0))
		return exit_full(result);
	task->result = result;
	task->function_ended = true;
	ASSERT(task_is_as_new(task)); /* its stack grows, and the kernel's part of it has room (make depth) */
	switch_for_good_to(scheduler, task, next, finalize_untouched_exit);
}

_Noreturn void task_exit(intptr_t result)
{
	exit_plainly(result);
	__builtin_unreachable();
}
