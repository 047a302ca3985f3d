/* In place of the machine below the scheduler: contexts are stacks of the explorer, halting is waiting. */
#include "arch.h"

#include "explorer.h"

#include "kernel/command_line.h"
#include "kernel/processor.h"
#include "sched/task.h"

uint64_t model_canary = STACK_CANARY;
static bool woken[EXPLORE_PROCESSORS];
static struct handover {
	arch_finalizer finalize;
	void *left, *argument;
} handovers[EXPLORE_PROCESSORS];

uint64_t model_clock;

/* Who lingers looks once: its clock reads early when it begins, late when it has looked. */
static bool late[EXPLORE_PROCESSORS];

uint64_t arch_clock(void)
{
	if (command_line.linger == 0)
		return model_clock;
	late[explore_processor()] = !late[explore_processor()];
	return late[explore_processor()] ? 0 : command_line.linger;
}

static bool is_woken(void *argument)
{
	return *(bool *)argument;
}

void arch_idle(uint64_t deadline)
{
	(void)deadline;
	bool *flag = &woken[explore_processor()];
	explore_note("-- halts");
	explore_wait(is_woken, flag);
	*flag = false;
}

void arch_processor_wake(struct processor *processor)
{
	explore_pause();
	explore_note("-- wakes processor %u", processor->index);
	woken[processor->index] = true;
}

_Noreturn void arch_shutdown(enum arch_outcome outcome)
{
	(void)outcome;
	explore_fail("a deadlock was reported, and there is none");
}

/* A context's stack pointer is the number of its stack. */
unsigned model_stack_of(const struct arch_context *context)
{
	return (unsigned)(uintptr_t)context->stack_pointer;
}

void model_finalize(void)
{
	struct handover *handover = &handovers[explore_processor()];
	handover->finalize(handover->left, handover->argument);
}

uintptr_t arch_context_frame(const struct arch_context *context)
{
	(void)context;
	return 0;
}

/* No stack here is ever too full for a switch. */
uintptr_t arch_frame_pointer(void)
{
	return UINTPTR_MAX;
}

void arch_context_adopt(struct arch_context *context, void *stack_low, size_t stack_size)
{
	(void)stack_low, (void)stack_size;
	context->stack_pointer = (void *)(uintptr_t)explore_stack();
	context->stack_low = &model_canary;
}

void arch_context_switch(struct arch_context *from, struct arch_context *to, arch_finalizer finalizer,
                         void *left, void *argument, bool dying)
{
	(void)dying;
	from->stack_pointer = (void *)(uintptr_t)explore_stack();
	handovers[explore_processor()] = (struct handover){finalizer, left, argument};
	explore_stack_switch(model_stack_of(to));
	model_finalize();
}
