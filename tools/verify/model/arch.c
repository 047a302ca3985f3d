/* Replaces the machine below the scheduler: contexts are stacks of the explorer, halting is waiting. */
#include "arch.h"

#include "explorer.h"

#include "kernel/command_line.h"
#include "kernel/processor.h"
#include "sched/ready.h"
#include "sched/task.h"

uint64_t model_canary = STACK_CANARY;
static bool woken[EXPLORE_PROCESSORS];
static struct handover {
	finalizer finalize;
	struct task *left;
	void *argument;
} handovers[EXPLORE_PROCESSORS];

uint64_t model_clock;

/* A lingering processor looks once: its clock reads early when it begins, late after it has looked. */
static bool late[EXPLORE_PROCESSORS];

uint64_t arch_clock(void)
{
	if (command_line.linger == 0)
		return model_clock;
	late[explore_processor()] = !late[explore_processor()];
	return late[explore_processor()] ? 0 : command_line.linger;
}

/* Time passes while a processor is idle: from its halt to its deadline, at any moment, but not beyond this. */
#ifndef MODEL_CLOCK_END
#	define MODEL_CLOCK_END 0
#endif

struct halt {
	const bool *woken;
	uint64_t deadline;
};

static bool is_over(void *argument)
{
	const struct halt *halt = argument;
	return *halt->woken || halt->deadline <= MODEL_CLOCK_END;
}

void arch_idle(uint64_t deadline)
{
	bool *flag = &woken[explore_processor()];
	/* It has read its clock before; it reads it once more, and then lingers. */
	late[explore_processor()] = true;
	struct halt halt = {flag, deadline};
	explore_note("-- halts");
	explore_wait(is_over, &halt);
	if (!*flag && deadline > model_clock) {
		model_clock = deadline;
		explore_note("-- it is %lu", model_clock);
	}
	*flag = false;
}

void arch_processor_wake(struct processor *processor)
{
	explore_pause();
	explore_note("-- wakes processor %u", processor->index);
	woken[processor->index] = true;
}

const bool arch_has_foreign_code = false;

void arch_remote_barrier(void)
{
	explore_settle();
}

/* A task is interrupted where it waits in its own code, so that it receives every interrupt eventually. */
static bool interrupted[EXPLORE_PROCESSORS], handles[EXPLORE_PROCESSORS];

void arch_processor_interrupt(struct processor *processor)
{
	atomic_thread_fence(memory_order_seq_cst);
	explore_note("-- interrupts processor %u", processor->index);
	interrupted[processor->index] = true;
}

static uint64_t controls[EXPLORE_PROCESSORS];

uint64_t arch_control(void)
{
	return controls[explore_processor()];
}

void arch_control_set(uint64_t control)
{
	controls[explore_processor()] = control;
}

const uint8_t arch_kept_at_checks = 0;

uint8_t arch_kept_leave(struct arch_kept *kept, uint8_t keeps)
{
	kept->control = arch_control();
	arch_control_set(ARCH_CONTROL_DEFAULT);
	return keeps;
}

uint8_t arch_kept_return(const struct arch_kept *kept, uint8_t keeps)
{
	arch_control_set(kept->control);
	return keeps;
}

bool model_no_interrupt(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < EXPLORE_PROCESSORS; i++)
		if (interrupted[i] || handles[i])
			return false;
	return true;
}

struct wait {
	bool (*ready)(void *);
	void *argument;
	unsigned processor;
};

static bool is_ready_or_interrupted(void *argument)
{
	const struct wait *wait = argument;
	return interrupted[wait->processor] || wait->ready(wait->argument);
}

void model_task_wait(bool (*ready)(void *), void *argument)
{
	struct wait wait = {ready, argument, explore_processor()};
	ready_look_again(scheduler_current()); /* as at a check */
	for (;;) {
		explore_wait(is_ready_or_interrupted, &wait);
		if (!interrupted[wait.processor])
			return;
		interrupted[wait.processor] = false;
		handles[wait.processor] = true;
		explore_note("-- is interrupted");
		ready_interrupted();
		handles[wait.processor] = false;
	}
}

_Noreturn void arch_shutdown(enum arch_outcome outcome)
{
	(void)outcome;
	explore_fail("a deadlock was reported, and there is none");
}

/* A context's stack pointer is the number of its stack, its size tells whether it was ever left. */
enum { NEVER_LEFT, LEFT };

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

bool arch_is_uncooperative(void)
{
	return processor_current()->uncooperative != 0;
}

void arch_quantum_set(int32_t instructions)
{
	atomic_store_explicit(&processor_current()->quantum, instructions, memory_order_relaxed);
}

uintptr_t arch_stack_free(void)
{
	return 0;
}

void arch_context_create(struct arch_context *context, void *stack_low, size_t stack_size,
                         void (*entry)(void))
{
	(void)context, (void)stack_low, (void)stack_size, (void)entry;
	explore_fail("a task is made in memory at hand, of which there is none");
}

bool arch_context_is_new(const struct arch_context *context)
{
	return context->stack_size == NEVER_LEFT;
}

void arch_context_adopt(struct arch_context *context, void *stack_low, size_t stack_size)
{
	(void)stack_low, (void)stack_size;
	context->stack_pointer = (void *)(uintptr_t)explore_stack();
	context->stack_low = &model_canary;
}

/* The finalizer runs on the stack of the next task: what it does is the same on any. */
void arch_context_switch_noticed(struct arch_context *from, struct arch_context *to, finalizer finalize,
                                 struct task *left, void *argument, bool dying)
{
	(void)dying;
	from->stack_pointer = (void *)(uintptr_t)explore_stack();
	from->stack_size = LEFT;
	handovers[explore_processor()] = (struct handover){finalize, left, argument};
	explore_stack_switch(model_stack_of(to));
	model_finalize();
}

static void finalize_nothing(struct task *left, void *argument)
{
	(void)left, (void)argument;
}

void arch_context_swap_noticed(struct arch_context *from, struct arch_context *to)
{
	arch_context_switch_noticed(from, to, finalize_nothing, NULL, NULL, false);
}

void task_yield(void)
{
	struct arch_switch chosen = arch_yield();
	if (chosen.from)
		arch_context_swap_noticed(chosen.from, chosen.to);
}
