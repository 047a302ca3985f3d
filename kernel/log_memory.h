/*
 * The log in memory, which survives a reset without power off: the machine's next run finds it and offers it. Each
 * run chooses the place from the map of memory in the same way, so the next one finds it there. The place has banks,
 * each with the log of one run (log_record.h): a run overwrites the oldest and leaves the others alone.
 */
#ifndef KERNEL_LOG_MEMORY_H
#define KERNEL_LOG_MEMORY_H

#include "kernel/log_record.h"

struct boot_information;

#define LOG_BANKS        4
#define LOG_BANK_SLOTS   4096 /* 256 KiB, more than two thirds of it text */
#define LOG_MEMORY_BYTES (LOG_BANKS * LOG_BANK_SLOTS * sizeof(struct log_slot))

struct log_memory {
	struct log_ring ring; /* of this run */
	unsigned previous_count;
	struct log_reader previous[LOG_BANKS]; /* of earlier runs, newest first; copy before reading */
	const struct log_reader *shown;        /* the log that this run was asked to show; NULL: none */
};

extern struct log_memory log_memory; /* the machine's; empty where it keeps none */

/* Take LOG_MEMORY_BYTES out of the map: where firmware and boot loaders do not usually write, below 4 GiB, and with
 * other memory behind. Returns the address; 0: there is no such place. */
uint64_t log_memory_take(struct boot_information *boot);

/* Find the logs of earlier runs in the memory, and begin a new one. `bank_slots`: LOG_BANK_SLOTS. The rest as in
 * log_create(). */
void log_memory_open(struct log_memory *memory, void *place, uint32_t bank_slots,
                     void (*write_back)(const void *memory, size_t bytes));

/* How a run has ended: a clause. */
const char *log_memory_ending(const struct log_reader *reader);

/* Say in the log what was found. */
void log_memory_report(const struct log_memory *memory);

#endif
