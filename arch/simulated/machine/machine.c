/* The functions of machine.h, except machine_call() and machine_clock(). */
#include <asm/prctl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "arch/simulated/machine.h"
#include "arch/simulated/machine/console.h"
#include "arch/simulated/machine/counts.h"
#include "arch/simulated/machine/geometry.h"
#include "arch/simulated/machine/hand.h"
#include "arch/simulated/machine/memory.h"
#include "arch/simulated/machine/options.h"
#include "arch/simulated/machine/order.h"
#include "arch/simulated/machine/profile.h"
#include "arch/simulated/machine/progress.h"
#include "arch/simulated/machine/simulator.h"
#include "kernel/topology.h"

void machine_begin(void);
void machine_base_set(uint64_t base);

/* Set the base of GS by a system call, where user code may not write it. */
void machine_base_set(uint64_t base)
{
	syscall(SYS_arch_prctl, ARCH_SET_GS, base);
}

void machine_topology(struct topology *found)
{
	*found = (struct topology){.processor_count = virtual_processor_count,
	                           .node_count = geometry.sockets,
	                           .range_count = geometry.sockets};
	for (unsigned index = 0; index < virtual_processor_count; index++) {
		const struct place *place = &geometry.processor[index];
		found->processor[index] = (struct topology_processor){.hardware_id = index,
		                                                      .socket = place->socket,
		                                                      .die = place->socket,
		                                                      .cache = place->cache,
		                                                      .core = place->core,
		                                                      .node = place->socket};
	}
	for (unsigned from = 0; from < geometry.sockets; from++) {
		found->range[from] =
		    (struct topology_range){memory_part(from), memory_part(from + 1) - memory_part(from), from};
		for (unsigned to = 0; to < geometry.sockets; to++)
			found->distance[from][to] = from == to ? 10 : 20;
	}
}

void *machine_stack(unsigned index, size_t *size)
{
	return memory_stack(index, size);
}

void machine_start(unsigned index, void (*entry)(struct processor *), struct processor *block)
{
	struct virtual_processor *processor = &virtual_processors[index];
	size_t size;
	uintptr_t *top = (uintptr_t *)((char *)memory_stack(index, &size) + size);
	*--top = (uintptr_t)machine_begin;
	processor->registers = (struct registers){.rbx = (uintptr_t)entry,
	                                          .r12 = (uintptr_t)block,
	                                          .rsp = (uintptr_t)top,
	                                          .base = arch_processor_distance(block),
	                                          .vector_control = (uint32_t)ARCH_CONTROL_DEFAULT,
	                                          .x87_control = (uint16_t)(ARCH_CONTROL_DEFAULT >> 32)};
	processor->index = index;
	processor->key = hand_key(index);
	processor->core = geometry.processor[index].core;
	processor->interrupt_at = processor->examine_at = NEVER;
	simulator_ready(processor, machine_current ? simulator_now() + profile.wake_arrive : 0);
}

size_t machine_describe(char *text, size_t size)
{
	int length = snprintf(
	    text, size, "\"simulated\":\"%s\",\"sockets\":%u,\"window\":%lu,\"costs\":%lu,\"variation\":%lu",
	    options.name, geometry.sockets, (unsigned long)options.window, (unsigned long)options.costs,
	    (unsigned long)options.variation);
	if (options.pauses && length > 0 && (size_t)length < size)
		length +=
		    snprintf(text + length, size - (size_t)length, ",\"pauses\":%lu", (unsigned long)options.pauses);
	return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

void machine_stop_others(void)
{
	for (unsigned index = 0; index < virtual_processor_count; index++) {
		if (&virtual_processors[index] == machine_current)
			continue;
		order_remove(index);
		virtual_processors[index].state = STATE_STOPPED;
	}
}

_Noreturn void machine_restart(void)
{
	progress_clear();
	hosted_terminal_end();
	fflush(NULL);
	execv("/proc/self/exe", options.arguments);
	fprintf(stderr, "heddle: the host does not start the program again: %s\n", strerror(errno));
	_exit(EXIT_FAILURE);
}

_Noreturn void machine_end(int status)
{
	progress_clear();
	hosted_terminal_end();
	if (console_lost()) {
		fputs("heddle: results are lost: standard output cannot be written to\n", stderr);
		status = status ? status : EXIT_FAILURE;
	}
	if (options.counts && !counts_write(options.counts))
		status = status ? status : EXIT_FAILURE;
	fflush(NULL);
	_exit(status);
}
