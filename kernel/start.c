#include "kernel/start.h"

#include "kernel/boot_information.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/memory.h"
#include "kernel/object.h"
#include "kernel/pool.h"
#include "kernel/topology.h"

struct processor processors[PROCESSORS_MAXIMUM];
unsigned processor_count = 1;

static void limit_processors(void)
{
	unsigned there = topology.processor_count, wanted = command_line.processors;
	if (wanted > there)
		log_warning("processors=%u: there are only %u, and all of them are used", wanted, there);
	else if (wanted > 0)
		topology.processor_count = wanted;
}

/* memory=: leave the memory above so many bytes alone. */
static void limit_memory(struct boot_information *boot)
{
	uint64_t left = (uint64_t)command_line.memory << 20;
	if (left == 0)
		return;
	for (unsigned i = 0; i < boot->region_count; i++) {
		if (boot->regions[i].length > left)
			boot->regions[i].length = left;
		left -= boot->regions[i].length;
	}
}

void kernel_start(struct boot_information *boot)
{
	if (!arch_branches_take(command_line.trace.on)) {
		log_error("trace=: the host does not allow writing to code, so nothing is traced");
		command_line.trace.on = false;
	}
	arch_machine_start(boot);
	arch_topology_discover(boot, &topology);
	limit_processors();
	processor_count = topology.processor_count;
	arch_clock_start(boot);
	limit_memory(boot);
	memory_start(boot);
	pool_start();
	arch_processors_start(&topology);
	processor_count = topology.processor_count;
	object_start();
	topology_describe(&topology, topology.description, sizeof(topology.description));
	log_info("%s", topology.description);
	struct memory_count memory = memory_count(MEMORY_ANY_NODE);
	log_info("%u processor%s on %u node%s, %lu MiB of memory, booted by %s", processor_count,
	         processor_count == 1 ? "" : "s", topology.node_count, topology.node_count == 1 ? "" : "s",
	         (unsigned long)(memory.total >> 20), boot->loader);
}
