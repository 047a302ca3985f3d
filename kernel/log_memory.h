/*
 * The log in memory that survives a reset without power off: the machine's next run finds it, and offers it. It lies
 * where the next run looks, as both choose the place from the map of memory in one way. There it has some banks, each
 * with the log of a run (log_record.h): a run writes over the oldest, and leaves the others as they are.
 */
#ifndef KERNEL_LOG_MEMORY_H
#define KERNEL_LOG_MEMORY_H

#include "kernel/log_record.h"

struct boot_information;

#define LOG_BANKS        4
#define LOG_BANK_SLOTS   4096 /* 256 KiB, of which more than two thirds are text */
#define LOG_MEMORY_BYTES (LOG_BANKS * LOG_BANK_SLOTS * sizeof(struct log_slot))

struct log_memory {
	struct log_ring ring; /* of this run */
	unsigned previous_count;
	struct log_reader
	    previous[LOG_BANKS];        /* of runs before, the newest first; to be copied before it is read */
	const struct log_reader *shown; /* the one that this run was asked to show; NULL: none */
};

extern struct log_memory log_memory; /* the machine's; empty where it keeps none */

/* Take LOG_MEMORY_BYTES out of the map, where neither firmware nor boot loaders are used to write, below 4 GiB and
 * followed by other memory. Returns the address, 0 if there is no such place. */
uint64_t log_memory_take(struct boot_information *boot);

/* Find the logs of runs before in the memory that is there, and begin a new one. `bank_slots`: LOG_BANK_SLOTS. The rest
 * as in log_create(). */
void log_memory_open(struct log_memory *memory, void *place, uint32_t bank_slots,
                     void (*write_back)(const void *memory, size_t bytes));

/* How a run has ended: a clause. */
const char *log_memory_ending(const struct log_reader *reader);

/* Say in the log what was found. */
void log_memory_report(const struct log_memory *memory);

#endif
