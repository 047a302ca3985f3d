/*
 * Which processors and NUMA nodes there are and how far apart. Filled by arch_topology_discover() at boot,
 * cut down by the option processors=N and by arch_processors_start(), constant afterwards.
 */
#ifndef KERNEL_TOPOLOGY_H
#define KERNEL_TOPOLOGY_H

#include <stdint.h>

#include "kernel/processor.h"

#define NODES_MAXIMUM       64
#define NODE_RANGES_MAXIMUM 256

struct topology_processor {
	uint32_t hardware_id;
	uint32_t socket; /* processors of one package share it */
	uint32_t core;   /* together with socket: processors of one core share it */
	uint32_t node;   /* dense, below node_count */
};

/* Memory [base, base + length) belongs to node. */
struct topology_range {
	uint64_t base, length;
	uint32_t node;
};

struct topology {
	unsigned processor_count;
	unsigned node_count;
	unsigned range_count; /* 0: all memory belongs to node 0 */
	struct topology_processor processor[PROCESSORS_MAXIMUM];
	struct topology_range range[NODE_RANGES_MAXIMUM];
	uint8_t distance[NODES_MAXIMUM][NODES_MAXIMUM]; /* as in ACPI's SLIT: 10 is local */
};

extern struct topology topology;

/* How far two processors are apart: 0 the same, 1 the same core, 2 the same socket and node, above that the
 * nodes' distance (at least 10). Smaller is nearer; only the order matters. */
unsigned topology_distance(unsigned processor, unsigned other);

/* Node of a physical address; 0 where no table says. */
unsigned topology_node_of(uint64_t address);

/* Fill `order` with all other processors, nearest to `processor` first; among equals, the next higher index
 * first, round robin, so that no processor is everybody's first choice. `order` has room for all of them. */
void topology_nearest(unsigned processor, uint16_t *order);

/* The same of any topology. */
unsigned topology_distance_in(const struct topology *in, unsigned processor, unsigned other);
unsigned topology_node_in(const struct topology *in, uint64_t address);
void topology_nearest_in(const struct topology *in, unsigned processor, uint16_t *order);

#endif
