/*
 * Where virtual processors are: which socket, core and last-level cache each belongs to. They are spread evenly over
 * the sockets; within one each core gets a thread before any gets a second one.
 */
#ifndef MACHINE_GEOMETRY_H
#define MACHINE_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/processor.h"

struct geometry {
	unsigned sockets, socket_cores, cache_cores; /* cores of a socket, and of a last-level cache */
	unsigned cores;                              /* all */
	struct place {
		uint16_t socket, core, cache;
	} processor[PROCESSORS_MAXIMUM];
	/* The processors of a core, ending in -1. */
	int16_t threads[PROCESSORS_MAXIMUM][9];
};

extern struct geometry geometry;

/* Spread `count` processors over `sockets` of them as the profile has; 0: as few as suffice. False: a sentence says
 * that they do not fit. */
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
