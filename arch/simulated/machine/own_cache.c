#include "arch/simulated/machine/own_cache.h"

#include <stdlib.h>

#include "arch/simulated/machine/geometry.h"
#include "arch/simulated/machine/profile.h"

/* Each core has sets of `profile.own_ways` lines, the newest first; 0: no line. */
static uint32_t *caches;
static uint64_t sets, ways;

bool own_caches_create(void)
{
	ways = profile.own_ways;
	sets = profile.own_lines / ways;
	if (profile.own_lines == 0)
		return true;
	sets += sets == 0;
	caches = calloc(geometry.cores * sets * ways, sizeof(*caches));
	return caches != NULL;
}

/* The way to reuse: the line's own, or else the oldest. */
static uint64_t choose_way(const uint32_t *set, uint32_t line)
{
	uint64_t way = 0;
	while (way < ways - 1 && set[way] && set[way] != line)
		way++;
	return way;
}

bool own_cache_add(unsigned core, uint32_t line, uint32_t *evicted)
{
	if (!caches)
		return false;
	uint32_t *set = caches + (core * sets + line % sets) * ways, way = choose_way(set, line);
	*evicted = set[way];
	for (; way > 0; way--)
		set[way] = set[way - 1];
	set[0] = line;
	return *evicted && *evicted != line;
}
