/* Threads of the operating system on as many processors as are asked for. */
#ifndef PEERS_THREADS_CONFINE_HPP
#define PEERS_THREADS_CONFINE_HPP

#include <sched.h>

#include <string>

#include "common/bench.hpp"

/* From now on this process runs on the first `processors` of those that it may use. */
inline void confine(const char *peer, uint64_t processors)
{
	cpu_set_t allowed, chosen;
	sched_getaffinity(0, sizeof(allowed), &allowed);
	CPU_ZERO(&chosen);
	for (int i = 0; i < CPU_SETSIZE && static_cast<uint64_t>(CPU_COUNT(&chosen)) < processors; i++)
		if (CPU_ISSET(i, &allowed))
			CPU_SET(i, &chosen);
	if (static_cast<uint64_t>(CPU_COUNT(&chosen)) < processors)
		bench::fail(std::string(peer) + ": there are not so many processors");
	sched_setaffinity(0, sizeof(chosen), &chosen);
}

#endif
