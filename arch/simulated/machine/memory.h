/*
 * Memory of the simulated machine, at the same addresses in each run and on each host, since the system and the
 * simulator find things by hashes of addresses: the processors' stacks, and behind them what the system gets.
 */
#ifndef MACHINE_MEMORY_H
#define MACHINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many bytes for the system, and stacks for processors, in equal parts for the sockets. False: a sentence is on
 * standard error. */
bool memory_create(uint64_t bytes, unsigned stacks);

/* What the system gets. */
uint64_t memory_base(void);

/* All of it, for the directory of lines. */
uint64_t memory_start_address(void);
uint64_t memory_bytes(void);

/* Where the memory of a socket begins. */
uint64_t memory_part(unsigned socket);

/* The lower end of a processor's stack, and the upper end of that for its interruptions. */
void *memory_stack(unsigned index, size_t *size);
void *memory_interrupt_stack(unsigned index);

#endif
