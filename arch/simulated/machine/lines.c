#include "arch/simulated/machine/lines.h"

#include <sys/mman.h>

#include "arch/simulated/machine/geometry.h"
#include "arch/simulated/machine/hand.h"
#include "arch/simulated/machine/memory.h"
#include "arch/simulated/machine/own_cache.h"
#include "arch/simulated/machine/profile.h"
#include "arch/simulated/machine/sharers.h"

enum line_state { LINE_NEW, LINE_CACHED, LINE_SHARED, LINE_OWNED };

struct line {
	uint64_t busy;   /* until then no other core is served */
	sharers sharers; /* SHARED */
	uint16_t place;  /* OWNED: the core; CACHED: the last-level cache */
	uint16_t last;   /* the core that asked last */
	uint8_t state;
	uint8_t region : 7;
	bool written : 1; /* by any core, ever */
};

struct line_counts line_counts[REGIONS];
bool lines_counted;

static struct line *lines;
static struct range {
	uint64_t first, count; /* lines */
} data, memory;

bool lines_create(uint64_t data_address, uint64_t data_bytes, uint64_t memory_address, uint64_t memory_bytes)
{
	/* The range begins one line early, so that no line in use has place 0. */
	data = (struct range){data_address / LINE_BYTES - 1, data_bytes / LINE_BYTES + 3};
	memory = (struct range){memory_address / LINE_BYTES, memory_bytes / LINE_BYTES};
	lines = mmap(NULL, (data.count + memory.count) * sizeof(struct line), PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return lines != MAP_FAILED;
}

static struct line *line_of(uint64_t line)
{
	if (line - memory.first < memory.count)
		return &lines[data.count + (line - memory.first)];
	return line - data.first < data.count ? &lines[line - data.first] : NULL;
}

static uint64_t number_of(uint32_t place)
{
	return place < data.count ? data.first + place : memory.first + (place - data.count);
}

void line_label(uint64_t address, enum region region)
{
	struct line *line = line_of(address / LINE_BYTES);
	if (line)
		line->region = region;
}

static bool holds(const struct line *line, unsigned core)
{
	return line->state == LINE_OWNED ? line->place == core
	                                 : line->state == LINE_SHARED && sharers_have(line->sharers, core);
}

bool line_is_held(unsigned core, uint64_t number, bool writes)
{
	const struct line *line = line_of(number);
	return !line || (holds(line, core) && (!writes || line->state == LINE_OWNED));
}

/* --------------------------------------------------------------------------------------------- cost -- */

static uint64_t distance(unsigned core, unsigned other)
{
	if (geometry_cache(core) == geometry_cache(other))
		return profile.line_cache;
	return geometry_socket(core) == geometry_socket(other) ? profile.line_socket : profile.line_machine;
}

static bool shares_within(const struct line *line, unsigned core, unsigned group)
{
	return sharers_any(line->sharers, core / group * group, group);
}

static uint64_t from_memory(unsigned core, uint64_t number)
{
	unsigned socket = geometry_socket(core);
	/* The image lies in the first socket's memory. */
	bool near = number - memory.first < memory.count ? number >= memory_part(socket) / LINE_BYTES &&
	                                                       number < memory_part(socket + 1) / LINE_BYTES
	                                                 : socket == 0;
	return near ? profile.memory_near : profile.memory_far;
}

static uint64_t from_shared_cache(unsigned core, unsigned cache)
{
	if (geometry_cache(core) == cache)
		return profile.shared_cache;
	return distance(core, cache * geometry.cache_cores);
}

/* The time until the line arrives from where it is now. */
static uint64_t fetch_cost(const struct line *line, unsigned core, uint64_t number)
{
	switch (line->state) {
	case LINE_NEW:
		return from_memory(core, number);
	case LINE_CACHED:
		return from_shared_cache(core, line->place);
	case LINE_OWNED:
		return distance(core, line->place);
	default:
		if (shares_within(line, core, geometry.cache_cores))
			return profile.line_cache;
		return shares_within(line, core, geometry.socket_cores) ? profile.line_socket : profile.line_machine;
	}
}

/* --------------------------------------------------------------------------------------------- lose -- */

/* The core's processors may no longer write the line, or no longer have it at hand. */
static void lose(unsigned core, uint64_t number, bool reads_still)
{
	for (const int16_t *thread = geometry.threads[core]; *thread >= 0; thread++)
		hand_take(&virtual_processors[*thread], number, reads_still);
}

/* All others lose it. */
static void invalidate(struct line *line, unsigned core, uint64_t number)
{
	for (int other = sharers_next(line->sharers, 0); other >= 0;
	     other = sharers_next(line->sharers, (unsigned)other + 1))
		if ((unsigned)other != core)
			lose((unsigned)other, number, false);
	sharers_drop(line->sharers);
	line->sharers = SHARERS_NONE;
}

/* The time that invalidate() takes. */
static uint64_t invalidation_cost(const struct line *line, unsigned core)
{
	uint64_t count = 0, farthest = 0;
	for (int other = sharers_next(line->sharers, 0); other >= 0;
	     other = sharers_next(line->sharers, (unsigned)other + 1)) {
		uint64_t far = (unsigned)other == core ? 0 : distance(core, (unsigned)other);
		farthest = far > farthest ? far : farthest;
		count += (unsigned)other != core;
	}
	return farthest + (count > 1 ? (count - 1) * profile.invalidate : 0);
}

/* Evict the line from a core's own cache, which needs the room. */
static void evict(unsigned core, uint64_t number)
{
	struct line *line = line_of(number);
	if (!holds(line, core))
		return;
	lose(core, number, false);
	if (line->state == LINE_SHARED)
		line->sharers = sharers_without(line->sharers, core);
	if (line->state == LINE_OWNED || line->sharers == SHARERS_NONE) {
		line->state = LINE_CACHED;
		line->place = (uint16_t)geometry_cache(core);
	}
}

/* --------------------------------------------------------------------------------------------- take -- */

static void cache_keep(unsigned core, uint64_t number)
{
	uint32_t evicted;
	if (own_cache_add(core, (uint32_t)(line_of(number) - lines), &evicted))
		evict(core, number_of(evicted));
}

/* As tools/measure/coherence/lines.c counts them. */
static void count(const struct line *line, unsigned core, bool writes)
{
	struct line_counts *counts = &line_counts[line->region];
	unsigned first = geometry_socket(core) * geometry.socket_cores;
	sharers others = line->state == LINE_SHARED  ? line->sharers
	                 : line->state == LINE_OWNED ? sharers_with(SHARERS_NONE, line->place)
	                                             : SHARERS_NONE;
	bool held = holds(line, core), near = false, far = false;
	for (int other = sharers_next(others, 0); other >= 0; other = sharers_next(others, (unsigned)other + 1)) {
		bool same = (unsigned)other >= first && (unsigned)other < first + geometry.socket_cores;
		near |= same && (unsigned)other != core;
		far |= !same;
	}
	if (!near && !far) {
		counts->from_memory += !held;
	} else if (writes && held) {
		counts->invalidations++;
		counts->invalidations_between_sockets += far;
	} else if (writes || line->written) {
		counts->transfers++;
		counts->transfers_between_sockets += writes ? far : !near;
	}
}

static void share(struct line *line, unsigned core, uint64_t number)
{
	if (line->state == LINE_OWNED) {
		lose(line->place, number, true);
		line->sharers = sharers_with(SHARERS_NONE, line->place);
		line->state = LINE_SHARED;
	}
	if (line->state == LINE_SHARED) {
		line->sharers = sharers_with(line->sharers, core);
	} else {
		line->state = LINE_OWNED;
		line->place = (uint16_t)core;
	}
}

static void own(struct line *line, unsigned core, uint64_t number)
{
	if (line->state == LINE_SHARED)
		invalidate(line, core, number);
	else if (line->state == LINE_OWNED && line->place != core)
		lose(line->place, number, false);
	line->state = LINE_OWNED;
	line->place = (uint16_t)core;
	line->written = true;
}

void line_take(unsigned core, uint64_t number, bool writes)
{
	struct line *line = line_of(number);
	bool held = holds(line, core);
	if (lines_counted)
		count(line, core, writes);
	if (writes)
		own(line, core, number);
	else if (!held)
		share(line, core, number);
	if (!held)
		cache_keep(core, number);
}

/* ---------------------------------------------------------------------------------------------- ask -- */

/* The time that the access takes; *occupied: for how long no other core is served. */
static uint64_t cost_of(const struct line *line, unsigned core, uint64_t number, bool writes,
                        uint64_t *occupied)
{
	uint64_t cost = holds(line, core) ? 0 : fetch_cost(line, core, number);
	if (writes && line->state == LINE_SHARED) {
		uint64_t lost = invalidation_cost(line, core);
		cost = cost > lost ? cost : lost;
	}
	*occupied = !writes && line->state == LINE_SHARED ? profile.serve : cost;
	return cost;
}

struct line_turn line_ask(unsigned core, uint64_t number, bool writes, uint64_t now, bool streams)
{
	struct line *line = line_of(number);
	uint64_t occupied, cost = cost_of(line, core, number, writes, &occupied);
	struct line_turn turn = {now, now + cost};
	if (streams && line->state <= LINE_CACHED && cost > profile.stream)
		turn.there = now + (occupied = profile.stream);
	if (line->busy > now) {
		/* The line comes from the core that asked before. */
		if (writes || line->state != LINE_SHARED)
			cost = occupied = line->last == core ? profile.serve : distance(core, line->last);
		turn = (struct line_turn){line->busy + cost / 2, line->busy + cost};
		now = line->busy;
	}
	line->busy = now + occupied;
	line->last = (uint16_t)core;
	return turn;
}
