/*
 * The lines of memory and who has them: a directory, and what it takes to move a line. The protocol is MESI, a core's
 * own cache has as much room as the profile says, and the last-level caches keep all that own caches have no room
 * for.
 *
 *     NEW --a core reads or writes it: from memory--> OWNED
 *     OWNED --another reads it: from the owner--> SHARED     OWNED --another writes it--> OWNED by that
 *     SHARED --another reads it: from the nearest--> SHARED  SHARED --a core writes it, and all others lose it--> OWNED
 *     OWNED or SHARED --the last own cache has no room for it--> CACHED --read or written--> OWNED
 *
 * A core may write what it owns without asking. A line is served to one core at a time: while it is on its way to a
 * writer, or from one, others wait for it, one after the other; those that only share it wait `serve` for each other.
 * Where one waits, the core before it keeps the line until half of the way of the next is over: until then the next
 * request has not come to it.
 */
#ifndef MACHINE_LINES_H
#define MACHINE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_BYTES 64

/* What the lines belong to that are counted (user/bench/marks.h). */
enum region { REGION_REST, REGION_LOCK, REGION_DATA, REGION_OWN, REGIONS };

struct line_counts {
	uint64_t transfers, transfers_between_sockets;
	uint64_t invalidations, invalidations_between_sockets;
	uint64_t from_memory;
};

extern struct line_counts line_counts[REGIONS];
extern bool lines_counted; /* count now */

/* The directory, of two ranges of addresses: the image's data, and the memory of the machine, which belongs in equal
 * parts to the sockets. False: the host has no memory. */
bool lines_create(uint64_t data, uint64_t data_bytes, uint64_t memory, uint64_t memory_bytes);

/* Whether the core has the line at hand, and may write it. Lines are addresses divided by LINE_BYTES; one that the
 * directory does not know is everybody's. */
bool line_is_held(unsigned core, uint64_t line, bool writes);

/* When a core that asks for a line gets it. */
struct line_turn {
	uint64_t begins; /* it takes the line then: line_take(); */
	uint64_t there;  /* and has it then */
};

/* The core asks at `now` for a line that it does not hold. `streams`: it has just got the line before, so that this one
 * was fetched early. */
struct line_turn line_ask(unsigned core, uint64_t line, bool writes, uint64_t now, bool streams);

/* Its turn has come. */
void line_take(unsigned core, uint64_t line, bool writes);

void line_label(uint64_t address, enum region region);

#endif
