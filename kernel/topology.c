/*
 * Questions about the topology: distances, nodes of addresses, and which processors are near.
 */
#include "kernel/topology.h"

#define DISTANCES 256 /* a distance is one byte */

struct topology topology;

enum { DISTANCE_SELF, DISTANCE_CORE, DISTANCE_CACHE, DISTANCE_DIE, DISTANCE_SOCKET };

unsigned topology_distance_in(const struct topology *in, unsigned processor, unsigned other)
{
	const struct topology_processor *a = &in->processor[processor], *b = &in->processor[other];
	if (processor == other)
		return DISTANCE_SELF;
	if (a->socket != b->socket)
		return in->distance[a->node][b->node];
	if (a->core == b->core)
		return DISTANCE_CORE;
	if (a->node != b->node)
		return in->distance[a->node][b->node];
	if (a->cache == b->cache)
		return DISTANCE_CACHE;
	return a->die == b->die ? DISTANCE_DIE : DISTANCE_SOCKET;
}

#define ID_BITS     32
#define LEVEL_SHIFT 28

/* The lowest id that agrees from bit `shift` up. */
static uint32_t first_id(uint32_t id, unsigned shift)
{
	return shift < ID_BITS ? id >> shift << shift : 0;
}

struct topology_processor topology_place(uint32_t hardware_id, const struct topology_layout *layout)
{
	const uint32_t in_socket = hardware_id - first_id(hardware_id, layout->socket_shift);
	return (struct topology_processor){
	    .hardware_id = hardware_id,
	    .socket = layout->socket_shift < ID_BITS ? hardware_id >> layout->socket_shift : 0,
	    .die = first_id(in_socket, layout->die_shift),
	    .cache = first_id(in_socket, layout->cache_shift) ^ (uint32_t)layout->cache_level << LEVEL_SHIFT,
	    .core = first_id(in_socket, layout->core_shift),
	    .kind = layout->kind,
	};
}

unsigned topology_node_in(const struct topology *in, uint64_t address)
{
	for (unsigned i = 0; i < in->range_count; i++)
		if (address >= in->range[i].base && address - in->range[i].base < in->range[i].length)
			return in->range[i].node;
	return 0;
}

/* Counting sort: there are few distances, and up to a thousand processors ask. */
void topology_nearest_in(const struct topology *in, unsigned processor, uint16_t *order)
{
	unsigned count = in->processor_count;
	uint16_t place[DISTANCES + 1] = {0}; /* how many processors are nearer than this distance */
	for (unsigned step = 1; step < count; step++)
		place[topology_distance_in(in, processor, (processor + step) % count) + 1]++;
	for (unsigned distance = 1; distance < DISTANCES; distance++)
		place[distance] = (uint16_t)(place[distance] + place[distance - 1]);
	for (unsigned step = 1; step < count; step++) {
		unsigned other = (processor + step) % count;
		order[place[topology_distance_in(in, processor, other)]++] = (uint16_t)other;
	}
}

unsigned topology_distance(unsigned processor, unsigned other)
{
	return topology_distance_in(&topology, processor, other);
}

unsigned topology_node_of(uint64_t address)
{
	return topology_node_in(&topology, address);
}

void topology_nearest(unsigned processor, uint16_t *order)
{
	topology_nearest_in(&topology, processor, order);
}
