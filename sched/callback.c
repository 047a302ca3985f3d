#include "sched/callback.h"

#include "sched/generator.h"
#include "sched/growth.h"
#include "sched/scheduler.h"

/* Which stack an address lies on, and its bounds. */
enum stack_kind { STACK_OWN, STACK_OF_PROCESSOR, STACK_OF_GENERATOR, STACK_OF_SIGNAL };

static enum stack_kind stack_around(uintptr_t address, uintptr_t *low, uintptr_t *high)
{
	const struct processor *processor = processor_current();
	const struct task *task = processor->scheduler->current;
	bool guarded;
	*low = (uintptr_t)processor->stack_low;
	*high = *low + processor->stack_size;
	if (address >= *low && address < *high)
		return STACK_OF_PROCESSOR;
	if (!generator_stack_around(task, address, low, high, &guarded)) {
		*low = *high = 0;
		return STACK_OF_SIGNAL;
	}
	if (task->grows)
		return stack_piece_around(task, address, low, high) ? STACK_OWN : STACK_OF_GENERATOR;
	return *low == (uintptr_t)task->context.stack_low ? STACK_OWN : STACK_OF_GENERATOR;
}

/* The address sanitizer would find that what is there now belongs to others. */
__attribute__((no_sanitize("address"))) static bool has_index(uintptr_t frame, uint32_t index)
{
	return *(const uint64_t *)frame == index;
}

struct landing {
	uintptr_t stack_pointer;
	bool any; /* some were left */
};

static void drop_left(void *argument)
{
	struct landing *landing = argument;
	struct processor *processor = processor_current();
	uint32_t open = callbacks_open(processor), left = open;
	uintptr_t low, high;
	enum stack_kind kind = stack_around(landing->stack_pointer, &low, &high);
	/* Frames beyond the limit are not recorded: they count as left when the last recorded one was. */
	if (left > CALLBACKS_MOST)
		left = CALLBACKS_MOST;
	while (left > 0) {
		uintptr_t frame = processor->callbacks[left - 1];
		bool same = frame >= low && frame < high;
		if (same ? frame >= landing->stack_pointer && has_index(frame, left - 1)
		         : kind == STACK_OF_GENERATOR || kind == STACK_OF_SIGNAL)
			break;
		left--;
	}
	landing->any = left < open && left < CALLBACKS_MOST;
	if (landing->any)
		callbacks_keep(processor, left);
}

/* This runs on the processor's stack: a task may have less left than it needs. */
bool callbacks_settle(uintptr_t stack_pointer)
{
	const struct processor *processor = processor_current();
	struct landing landing = {.stack_pointer = stack_pointer};
	if (callbacks_open(processor) > 0 && processor->scheduler)
		arch_call_on_processor_stack(drop_left, &landing);
	return landing.any;
}
