#include "arch/simulated/machine/geometry.h"

#include <stdio.h>

#include "arch/simulated/machine/profile.h"

struct geometry geometry;

static void geometry_put(unsigned processor, unsigned socket, unsigned within)
{
	unsigned core = socket * geometry.socket_cores + within % geometry.socket_cores;
	unsigned thread = within / geometry.socket_cores;
	geometry.processor[processor] =
	    (struct place){(uint16_t)socket, (uint16_t)core, (uint16_t)geometry_cache(core)};
	geometry.threads[core][thread] = (int16_t)processor;
	geometry.threads[core][thread + 1] = -1;
}

/* The first processor of a socket, of `count` processors on `sockets` sockets. */
static unsigned geometry_first(unsigned socket, unsigned count, unsigned sockets)
{
	return (socket * count + sockets - 1) / sockets;
}

bool geometry_create(unsigned count, unsigned sockets)
{
	unsigned socket_cores = (unsigned)(profile.caches * profile.cores);
	unsigned most = socket_cores * (unsigned)profile.threads; /* processors of a socket */
	if (sockets == 0)
		sockets = (count + most - 1) / most;
	unsigned of_each = (count + sockets - 1) / sockets;
	if (sockets > count || of_each > most || sockets * socket_cores > PROCESSORS_MAXIMUM) {
		fprintf(stderr,
		        "heddle: %u processors on %u sockets: a socket of %s has %u cores of %u threads each, one "
		        "processor at least and %u at most are on each, and there may be %u cores in all\n",
		        count, sockets, profile.name, socket_cores, (unsigned)profile.threads, most,
		        PROCESSORS_MAXIMUM);
		return false;
	}
	geometry.sockets = sockets;
	geometry.socket_cores = socket_cores;
	geometry.cache_cores = (unsigned)profile.cores;
	geometry.cores = sockets * socket_cores;
	for (unsigned core = 0; core < geometry.cores; core++)
		geometry.threads[core][0] = -1;
	for (unsigned processor = 0; processor < count; processor++) {
		unsigned socket = processor * sockets / count;
		geometry_put(processor, socket, processor - geometry_first(socket, count, sockets));
	}
	return true;
}
