/*
 * The simulator's entry: reads the words, makes the machine's parts, and lets the first processor boot.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "arch/hosted/hosted.h"
#include "arch/simulated/machine.h"
#include "arch/simulated/machine/faults.h"
#include "arch/simulated/machine/geometry.h"
#include "arch/simulated/machine/lines.h"
#include "arch/simulated/machine/memory.h"
#include "arch/simulated/machine/options.h"
#include "arch/simulated/machine/own_cache.h"
#include "arch/simulated/machine/profile.h"
#include "arch/simulated/machine/progress.h"
#include "arch/simulated/machine/simulator.h"
#include "arch/simulated/machine/waits.h"

#define BASE_IS_WRITABLE 2 /* in AT_HWCAP2 */

/* The image's data (the linker's names): the directory covers it, too. */
extern char __data_start[], _end[];

extern uint8_t machine_writes_base;
extern uint32_t machine_locked, machine_pause, machine_divide4, machine_divide8;

_Noreturn void machine_run(struct virtual_processor *first);

static struct boot_information boot = {.loader = "the simulator"};

static void boot_main(struct processor *processor)
{
	size_t size;
	processor->self = processor;
	processor->stack_low = machine_stack(0, &size);
	processor->stack_size = size;
	boot_memory_add(&boot, memory_base(), memory_start_address() + memory_bytes() - memory_base());
	kernel_main(&boot);
}

static bool machine_create(void)
{
	uint64_t bytes = options.memory << 20;
	uint64_t data = (uintptr_t)__data_start, data_bytes = (uintptr_t)_end - data;
	if (!profile_read(options.machine, options.costs))
		return false;
	if (options.processors == 0)
		options.processors = profile.sockets * profile.caches * profile.cores * profile.threads;
	return geometry_create((unsigned)options.processors, (unsigned)options.sockets) &&
	       memory_create(bytes, (unsigned)options.processors) &&
	       lines_create(data, data_bytes, memory_start_address(), memory_bytes()) && own_caches_create();
}

int main(int count, char **arguments)
{
	if (!options_read(count, arguments, &boot) || !machine_create())
		return EXIT_FAILURE;
	machine_writes_base = (getauxval(AT_HWCAP2) & BASE_IS_WRITABLE) != 0;
	machine_locked = (uint32_t)profile_instructions(profile.locked);
	machine_pause = (uint32_t)profile_instructions(profile.pause);
	machine_divide4 = (uint32_t)profile_instructions(profile.divide4);
	machine_divide8 = (uint32_t)profile_instructions(profile.divide8);
	virtual_processor_count = (unsigned)options.processors;
	simulator_window = options.window * PICOSECONDS;
	simulator_variation = options.variation * 1024 / 100;
	simulator_pauses = options.pauses * PICOSECONDS;
	simulator_seed(options.seed);
	if (options.counts)
		waits_start();
	hosted_symbols_start();
	faults_start();
	progress_start();
	machine_start(0, boot_main, &processors[0]);
	machine_run(simulator_next());
}
