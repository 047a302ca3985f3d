/*
 * Chains through all lines of some memory, each line with the address of the next.
 */
#ifndef SIMULATED_CHAIN_H
#define SIMULATED_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#define LINE       64                  /* bytes of a cache line */
#define CHAIN_MOST ((size_t)256 << 20) /* bytes */

/* Once, first. False: there is no memory, and standard error says so. */
bool chain_create(void);

/* Nanoseconds from line to line of so many bytes, one after the other, or in an order that a prefetcher does not
 * foresee. */
double chain_time(size_t bytes, bool in_order);

/* How many reads are under way at once where none has to wait for another. After chain_time() of CHAIN_MOST bytes,
 * which takes `time`. */
unsigned chain_reads_at_once(double time);

#endif
