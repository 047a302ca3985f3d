#include "lines.h"

#include <stdlib.h>

struct line {
	uint64_t holders; /* a bit for each processor */
	bool written;
	uint8_t region;
};

static struct line *lines;
static uint64_t line_count;
static uint64_t socket_of[PROCESSORS_MAXIMUM]; /* a bit for each processor on the same socket */
static struct traffic traffic[REGIONS];

bool lines_create(uint64_t bytes, unsigned processors, unsigned sockets)
{
	if (processors < 1 || processors > PROCESSORS_MAXIMUM || sockets < 1 || processors % sockets != 0)
		return false;
	unsigned members = processors / sockets;
	uint64_t first_socket = members == 64 ? ~UINT64_C(0) : (UINT64_C(1) << members) - 1;
	for (unsigned i = 0; i < processors; i++)
		socket_of[i] = first_socket << i / members * members;
	line_count = bytes / LINE_SIZE;
	lines = calloc(line_count, sizeof(*lines));
	return lines != NULL;
}

static struct line *line_at(uint64_t address)
{
	return address / LINE_SIZE < line_count ? &lines[address / LINE_SIZE] : NULL;
}

void line_label(uint64_t address, enum region region)
{
	struct line *line = line_at(address);
	if (line)
		line->region = region;
}

/* The cost of a read or write of the line by a processor. */
static void move(struct traffic *counted, unsigned processor, bool writes, const struct line *line)
{
	uint64_t self = UINT64_C(1) << processor, others = line->holders & ~self;
	bool far = others & ~socket_of[processor], near = others & socket_of[processor];
	if (writes && line->holders & self) {
		counted->invalidations++;
		counted->invalidations_between_sockets += far;
	} else {
		counted->transfers++;
		counted->transfers_between_sockets += writes ? far : !near;
	}
}

bool line_access(unsigned processor, uint64_t address, bool writes, bool counts, enum region *region)
{
	struct line *line = line_at(address);
	uint64_t self = UINT64_C(1) << processor;
	if (!line)
		return false;
	bool is_held = line->holders & self, is_shared = line->holders & ~self;
	bool moves = writes ? is_shared : !is_held && is_shared && line->written;
	struct traffic *counted = &traffic[line->region];
	*region = line->region;
	if (counts) {
		counted->reads += !writes;
		counted->writes += writes;
		if (moves)
			move(counted, processor, writes, line);
	}
	line->holders = writes ? self : line->holders | self;
	line->written |= writes;
	return moves;
}

const char *region_name(enum region region)
{
	static const char *const names[REGIONS] = {"rest", "lock", "data", "own"};
	return names[region];
}

void lines_print(FILE *file)
{
	for (unsigned i = 0; i < REGIONS; i++) {
		const struct traffic *counted = &traffic[i];
		fprintf(file, "region %s %lu %lu %lu %lu %lu %lu\n", region_name(i), counted->reads, counted->writes,
		        counted->transfers, counted->transfers_between_sockets, counted->invalidations,
		        counted->invalidations_between_sockets);
	}
}
