/*
 * The end of the machine.
 */
#include "arch/bare/machine.h"
#include "arch/bare/result_screen.h"
#include "arch/x86_64/instructions.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/log_memory.h"

/* QEMU's isa-debug-exit ends the emulator with the status 2 * value + 1: 33 success, 35 failure, 37 panic. These
 * differ from 0 and 1, which a triple fault and QEMU's own errors give. A real machine has nothing at that port. */
#define EXIT_PORT 0xf4

static const uint32_t exit_values[] = {
    [ARCH_OUTCOME_SUCCESS] = 0x10, [ARCH_OUTCOME_FAILURE] = 0x11, [ARCH_OUTCOME_PANIC] = 0x12};

static const enum log_mark marks[] = {[ARCH_OUTCOME_SUCCESS] = LOG_ENDED,
                                      [ARCH_OUTCOME_FAILURE] = LOG_FAILED,
                                      [ARCH_OUTCOME_PANIC] = LOG_PANICKED};

/* The end must not be overwritten by processors that still run, their watchdogs for instance. Try at most once:
 * stopping may take seconds and may itself fail. */
static void others_stop(void)
{
	static bool tried;
	if (!tried) {
		tried = true;
		arch_processors_stop();
	}
}

void arch_restart(void)
{
	console_flush();
	interrupts_disable();
	log_mark(&log_memory.ring, LOG_ENDED);
	others_stop();
	machine_reset();
	for (;;)
		processor_halt();
}

void arch_shutdown(enum arch_outcome outcome)
{
	interrupts_disable();
	log_mark(&log_memory.ring, marks[outcome]);
	port_write_32(EXIT_PORT, exit_values[outcome]);
	others_stop();
	machine_show_failure();
	/* What went wrong must stay on the screen; results are shown page by page, and the log is one page. */
	if (outcome == ARCH_OUTCOME_SUCCESS && command_line.end == END_OFF)
		power_off();
	if (outcome == ARCH_OUTCOME_SUCCESS && command_line.end == END_REBOOT)
		machine_reset();
	if (outcome != ARCH_OUTCOME_PANIC)
		result_screen_show();
	for (;;)
		processor_halt();
}
