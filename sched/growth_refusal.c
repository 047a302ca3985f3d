#include "sched/growth_refusal.h"

#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "sched/generator.h"
#include "sched/growth.h"

/* End the task; the report shows where it was. */
_Noreturn static void growth_leave(struct task *task, const struct arch_place *place)
{
	uintptr_t low, high;
	bool guarded;
	if (generator_stack_around(task, place->frame_pointer, &low, &high, &guarded))
		panic_back_trace(place, low, high, log_error);
	if (command_line.fault == FAULT_ENDS_MACHINE)
		panic("a stack has overflowed, as said above");
	if (task->guarded)
		stack_canary_place(task); /* the guard has held, even if the stack was used up to it */
	arch_stack_abandon(stack_reset(task), task_exit_by_fault);
}

_Noreturn void growth_refuse(struct task *task, const struct arch_place *place, size_t wanted)
{
	log_error("task %s (%u) ends: stack overflow: %zu bytes more than the %u that its stack has grown by, "
	          "and it may grow by %u (task_options.stack_size)",
	          task->name, task->pooled.number, wanted, task->stack_grown, stack_maximum(task));
	growth_leave(task, place);
}

_Noreturn void growth_refuse_whole(struct task *task, const struct arch_place *place, size_t wanted)
{
	log_error(
	    "task %s (%u) ends: stack overflow: %zu bytes more than what is left of its stack at 0x%lx, which "
	    "does not grow (task_options.stack_size, generator_create())",
	    task->name, task->pooled.number, wanted, (unsigned long)processor_current()->limit_left);
	growth_leave(task, place);
}

_Noreturn void growth_refuse_memory(struct task *task, const struct arch_place *place, size_t wanted)
{
	log_error("task %s (%u) ends: no memory for %zu more bytes of stack, on %u bytes", task->name,
	          task->pooled.number, wanted, task->stack_grown);
	growth_leave(task, place);
}
