/*
 * The directory: which cores have each line of memory, and the time to move it. The protocol is MESI. A core's own
 * cache has as much room as the profile says; the last-level caches keep every line that own caches have no room for.
 *
 *     NEW --a core reads or writes it: from memory--> OWNED
 *     OWNED --another reads it: from the owner--> SHARED     OWNED --another writes it--> OWNED by that
 *     SHARED --another reads it: from the nearest--> SHARED  SHARED --a core writes it, and all others lose it--> OWNED
 *     OWNED or SHARED --the last own cache has no room for it--> CACHED --read or written--> OWNED
 *
 * A core writes a line that it owns without asking. A line is served to one core at a time: while it moves to or from
 * a writer, other cores wait for it, one after the other; cores that only share it wait `serve` for each other. The
 * core before a waiting one keeps the line for the first half of the next transfer: until then the request has not
 * reached it.
 */
#ifndef MACHINE_LINES_H
#define MACHINE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_BYTES 64

/* What a counted line belongs to (user/bench/marks.h). */
enum region { REGION_REST, REGION_LOCK, REGION_DATA, REGION_OWN, REGIONS };

struct line_counts {
	uint64_t transfers, transfers_between_sockets;
	uint64_t invalidations, invalidations_between_sockets;
	uint64_t from_memory;
};

extern struct line_counts line_counts[REGIONS];
extern bool lines_counted; /* count now */

/* Make the directory for two ranges of addresses: the image's data, and the machine's memory, of which each socket has
 * an equal part. False: the host has no memory. */
bool lines_create(uint64_t data, uint64_t data_bytes, uint64_t memory, uint64_t memory_bytes);

/* Whether the core has the line and, if it writes, owns it. A line is an address divided by LINE_BYTES. Every core has
 * the lines that the directory does not know. */
bool line_is_held(unsigned core, uint64_t line, bool writes);

/* When a core that asks for a line gets it. */
struct line_turn {
	uint64_t begins; /* when the transfer begins: line_take() */
	uint64_t there;  /* when the line arrives */
};

/* The core asks at `now` for a line that it does not hold. `streams`: it has just got the previous line, so this one
 * was prefetched. */
struct line_turn line_ask(unsigned core, uint64_t line, bool writes, uint64_t now, bool streams);

/* The transfer begins: change the directory. */
void line_take(unsigned core, uint64_t line, bool writes);

void line_label(uint64_t address, enum region region);

#endif
