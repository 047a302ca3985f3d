/*
 * Halt and wake, by the protocol of arch/bare/idle.c:
 *
 *     RUNNING --arch_idle: about to halt--> HALTED --wake: and an interrupt is sent--> WOKEN
 *     RUNNING --wake: nothing is sent--> WOKEN --arch_idle: does not halt--> RUNNING
 *     HALTED or WOKEN --arch_idle: no longer halted--> RUNNING
 */
#include "arch/simulated/port.h"

enum idle_state { IDLE_RUNNING, IDLE_HALTED, IDLE_WOKEN };

/* Each store is visible to all at once; only the time that a real machine would wait is charged. */
void arch_remote_barrier(void)
{
	machine_call(MACHINE_BARRIER, 0);
}

void arch_idle(uint64_t deadline)
{
	struct arch_processor *machine = processor_current()->arch;
	uint32_t state = IDLE_RUNNING;
	/* RUNNING -> HALTED; release: a waker that finds HALTED also finds what the idler last wrote; acquire on failure as
	 * below. */
	if (atomic_compare_exchange_strong_explicit(&machine->idle_state, &state, IDLE_HALTED,
	                                            memory_order_acq_rel, memory_order_acquire))
		machine_call(MACHINE_HALT, deadline);
	/* HALTED or WOKEN -> RUNNING; acquire: pairs with the release in arch_processor_wake(). */
	atomic_exchange_explicit(&machine->idle_state, IDLE_RUNNING, memory_order_acq_rel);
}

void arch_processor_wake(struct processor *processor)
{
	/* Any -> WOKEN; release: pairs with the acquire in arch_idle(). Only a halted processor needs the interrupt, and
	 * only the first waker sends it. */
	uint32_t state = atomic_exchange_explicit(&processor->arch->idle_state, IDLE_WOKEN, memory_order_acq_rel);
	if (state == IDLE_HALTED)
		machine_call(MACHINE_WAKE, processor->index);
}
