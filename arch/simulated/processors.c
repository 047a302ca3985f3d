/*
 * Starting the other processors.
 */
#include "arch/simulated/port.h"
#include "kernel/topology.h"

static struct arch_processor host_processors[PROCESSORS_MAXIMUM];
static void (*released_entry)(struct processor *);

static void fill(unsigned index)
{
	struct processor *processor = &processors[index];
	processor->self = processor;
	processor->index = index;
	processor->node = topology.processor[index].node;
	processor->hardware_id = topology.processor[index].hardware_id;
	processor->arch = &host_processors[index];
	processor->stack_low = machine_stack(index, &processor->stack_size);
}

/* No processor runs yet: each begins at the release. */
void arch_processors_start(struct topology *found)
{
	for (unsigned index = 0; index < found->processor_count; index++)
		fill(index);
}

static void begin(struct processor *processor)
{
	released_entry(processor);
	for (;;)
		machine_call(MACHINE_HALT, UINT64_MAX);
}

void arch_processors_release(void (*entry)(struct processor *))
{
	released_entry = entry;
	for (unsigned index = 1; index < processor_count; index++)
		machine_start(index, begin, &processors[index]);
}

void arch_processors_join(void)
{
}
