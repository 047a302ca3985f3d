/*
 * Memory of the simulated machine: the processors' stacks, and behind them the system's memory. It is at the same
 * addresses in each run and on each host, because the system and the simulator hash addresses.
 */
#ifndef MACHINE_MEMORY_H
#define MACHINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Map `bytes` for the system, and the processors' stacks; each socket has an equal part. False: failed, and standard
 * error says why. */
bool memory_create(uint64_t bytes, unsigned stacks);

/* Where the system's memory begins. */
uint64_t memory_base(void);

/* Where all memory begins, for the directory. */
uint64_t memory_start_address(void);
uint64_t memory_bytes(void);

/* Whether that address means the same in each run. If not, the host has chosen it: for the file with the program's
 * symbols, or for the words that started it. */
bool memory_is_placed(uint64_t address);

/* Where the memory of a socket begins. */
uint64_t memory_part(unsigned socket);

/* The lower end of a processor's stack; then the upper end of its stack for interruptions. */
void *memory_stack(unsigned index, size_t *size);
void *memory_interrupt_stack(unsigned index);

#endif
