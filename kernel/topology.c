/*
 * Questions about the topology: how far, where, and who is near.
 */
#include "kernel/topology.h"

#define DISTANCES 256 /* a distance is one byte */

struct topology topology;

enum { DISTANCE_SELF = 0, DISTANCE_CORE = 1, DISTANCE_SOCKET = 2 };

unsigned topology_distance_in(const struct topology *in, unsigned processor, unsigned other)
{
	const struct topology_processor *a = &in->processor[processor], *b = &in->processor[other];
	if (processor == other)
		return DISTANCE_SELF;
	if (a->socket == b->socket && a->core == b->core)
		return DISTANCE_CORE;
	if (a->socket == b->socket && a->node == b->node)
		return DISTANCE_SOCKET;
	return in->distance[a->node][b->node];
}

unsigned topology_node_in(const struct topology *in, uint64_t address)
{
	for (unsigned i = 0; i < in->range_count; i++)
		if (address >= in->range[i].base && address - in->range[i].base < in->range[i].length)
			return in->range[i].node;
	return 0;
}

/* Counting sort: there are few distances and up to a thousand processors, each of which asks. */
void topology_nearest_in(const struct topology *in, unsigned processor, uint16_t *order)
{
	unsigned count = in->processor_count;
	uint16_t place[DISTANCES + 1] = {0}; /* how many are nearer than this distance */
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
