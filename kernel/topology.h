/*
 * Which processors and NUMA nodes there are and how far apart they are. Filled by arch_topology_discover() at boot,
 * cut down by the option processors=N and by arch_processors_start(), constant afterwards.
 */
#ifndef KERNEL_TOPOLOGY_H
#define KERNEL_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"

#define NODES_MAXIMUM       64
#define NODE_RANGES_MAXIMUM 256

/* A machine may have fast processors and others that save power. */
enum processor_kind { PROCESSOR_ALIKE, PROCESSOR_FAST, PROCESSOR_EFFICIENT };

/* Processors with the same number and the same socket are on one die, share their largest cache, or are on one core.
 * (The number is the lowest id of such a group in the socket, so that numbers stay distinct where processors have
 * different layouts.) */
struct topology_processor {
	uint32_t hardware_id;
	uint32_t socket, die, cache, core;
	uint32_t node; /* dense, below node_count */
	enum processor_kind kind;
};

/* How a hardware id is composed: by how many bits to shift it for the number of the core, and so on. A part never has
 * more bits than the socket. Processors of several kinds may have different layouts. */
struct topology_layout {
	unsigned core_shift, cache_shift, die_shift, socket_shift;
	unsigned cache_level; /* processors with largest caches of different levels share none */
	enum processor_kind kind;
};

/* Everything except the node, which is 0. Any shifts are allowed. */
struct topology_processor topology_place(uint32_t hardware_id, const struct topology_layout *layout);

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
	char description[120];                          /* filled once all processors are up */
};

extern struct topology topology;

/* How far apart two processors are: 0 the same, 1 the same core, 2 the same cache, 3 the same die, 4 the same socket,
 * all within a node; above that the nodes' distance (at least 10). Smaller is nearer; only the order matters. */
unsigned topology_distance(unsigned processor, unsigned other);

/* Node of a physical address; 0 where no table tells. */
unsigned topology_node_of(uint64_t address);

/* Fill `order` with all other processors, the nearest to `processor` first. Among equals the next higher index comes
 * first, wrapping around, so that no processor is everyone's first choice. `order` has room for all of them. */
void topology_nearest(unsigned processor, uint16_t *order);

/* The same for any topology. */
unsigned topology_distance_in(const struct topology *in, unsigned processor, unsigned other);
unsigned topology_node_in(const struct topology *in, uint64_t address);
void topology_nearest_in(const struct topology *in, unsigned processor, uint16_t *order);

/* Describes the processors: "2 sockets x 8 cores x 2 threads, 4 caches". Always ends in a 0. */
void topology_describe(const struct topology *in, char *text, size_t size);

#endif
