/*
 * Requests between processors.
 */
#include "arch/simulated/port.h"

void arch_processor_interrupt(struct processor *processor)
{
	machine_call(MACHINE_INTERRUPT, processor->index);
}

void arch_processor_examine(struct processor *processor)
{
	machine_call(MACHINE_EXAMINE, processor->index);
}

unsigned arch_processors_stop(void)
{
	machine_stop_others();
	return 0;
}

void machine_serve(const struct machine_interruption *interruption)
{
	uintptr_t limit = processor_interrupt_begin();
	const struct arch_place place = {.instruction = interruption->instruction,
	                                 .stack_pointer = interruption->stack_pointer,
	                                 .frame_pointer = interruption->frame_pointer};
	if (interruption->examine)
		panic_report_place(&place);
	else
		ready_interrupted();
	processor_interrupt_end(limit);
	machine_call(MACHINE_RETURN, 0);
}
