/*
 * The socket, core and last-level cache of each virtual processor. Processors are spread evenly over the sockets;
 * within a socket every core gets one before any core gets a second.
 */
#ifndef MACHINE_GEOMETRY_H
#define MACHINE_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/processor.h"

struct geometry {
	unsigned sockets, socket_cores, cache_cores; /* cores of a socket, cores that share a last-level cache */
	unsigned cores;                              /* of the machine */
	struct place {
		uint16_t socket, core, cache;
	} processor[PROCESSORS_MAXIMUM];
	/* The processors of each core; -1 ends each list. */
	int16_t threads[PROCESSORS_MAXIMUM][9];
};

extern struct geometry geometry;

/* Spread `count` processors over `sockets` sockets of the profile's; 0: as few as suffice. False: they do not fit, and
 * standard error says so. */
bool geometry_create(unsigned count, unsigned sockets);

static inline unsigned geometry_socket(unsigned core)
{
	return core / geometry.socket_cores;
}

static inline unsigned geometry_cache(unsigned core)
{
	return core / geometry.cache_cores;
}

#endif
