/*
 * The boot: the simulated machine needs no discovery.
 */
#include "arch/arch.h"
#include "arch/simulated/machine.h"
#include "kernel/boot_information.h"
#include "kernel/console.h"
#include "kernel/topology.h"

void arch_machine_start(struct boot_information *boot)
{
	(void)boot;
}

void arch_topology_discover(const struct boot_information *boot, struct topology *found)
{
	(void)boot;
	machine_topology(found);
}

void arch_clock_start(const struct boot_information *boot)
{
	(void)boot;
}

uint64_t arch_clock(void)
{
	return machine_clock();
}

size_t arch_describe(char *text, size_t size)
{
	return machine_describe(text, size);
}

/* Nothing disturbs a simulated machine. */
unsigned arch_activity_known(void)
{
	return 0;
}

void arch_activity_read(struct arch_activity *activity)
{
	*activity = (struct arch_activity){0};
}

_Noreturn void arch_restart(void)
{
	console_flush();
	machine_restart();
}

_Noreturn void arch_shutdown(enum arch_outcome outcome)
{
	machine_end((int)outcome);
}
