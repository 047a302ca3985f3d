/*
 * Interruptions of a processor: it runs machine_serve() on its stack for interrupts, until that asks for
 * MACHINE_RETURN.
 */
#include "arch/arch.h"
#include "arch/simulated/machine.h"
#include "arch/simulated/machine/memory.h"
#include "arch/simulated/machine/simulator.h"

void machine_interrupt_entry(void);

static bool is_due(uint64_t *when, uint64_t now)
{
	if (*when > now)
		return false;
	*when = NEVER;
	return true;
}

static uintptr_t goes_on_at(const struct registers *registers)
{
	return *(const uintptr_t *)registers->rsp;
}

static void interrupt(struct virtual_processor *processor, bool examine)
{
	struct registers *registers = &processor->registers;
	struct machine_interruption *interruption = memory_interrupt_stack(processor->index);
	*--interruption = (struct machine_interruption){.examine = examine,
	                                                .instruction = goes_on_at(registers),
	                                                .stack_pointer = registers->rsp + sizeof(uintptr_t),
	                                                .frame_pointer = registers->rbp};
	processor->before = *registers;
	processor->interrupted = true;
	uintptr_t *top = (uintptr_t *)((uintptr_t)interruption & ~(uintptr_t)15);
	*--top = (uintptr_t)machine_interrupt_entry;
	registers->rsp = (uintptr_t)top;
	registers->rdi = (uintptr_t)interruption;
}

void interrupts_deliver(struct virtual_processor *processor)
{
	if (processor->interrupted)
		return;
	if (is_due(&processor->examine_at, processor->time))
		interrupt(processor, true);
	else if (is_due(&processor->interrupt_at, processor->time) &&
	         arch_is_user_code(goes_on_at(&processor->registers)))
		interrupt(processor, false);
}
