/*
 * The end of the machine.
 */
#include "arch/x86_64/instructions.h"
#include "arch/x86_64/machine.h"
#include "kernel/command_line.h"

/* QEMU's isa-debug-exit ends the emulator with the status 2 * value + 1: 33 success, 35 failure, 37 panic. It
 * is none of 0 and 1, which a triple fault and an error of QEMU's own give. A real machine has nothing
 * at that port. */
#define EXIT_PORT 0xf4

static const uint32_t exit_values[] = {
    [ARCH_OUTCOME_SUCCESS] = 0x10, [ARCH_OUTCOME_FAILURE] = 0x11, [ARCH_OUTCOME_PANIC] = 0x12};

void arch_shutdown(enum arch_outcome outcome)
{
	interrupts_disable();
	port_write_32(EXIT_PORT, exit_values[outcome]);
	/* What went wrong must stay on the screen. */
	if (outcome == ARCH_OUTCOME_SUCCESS && command_line.end == END_OFF)
		power_off();
	for (;;)
		processor_halt();
}
