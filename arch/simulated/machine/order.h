/*
 * In which order virtual processors go on: a heap of those that are ready, or halted until a deadline, by their times.
 * Of equal times the lower index goes first, so that the order is the same on every host.
 */
#ifndef MACHINE_ORDER_H
#define MACHINE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Put a processor that is not in the heap; a time below 2^54 picoseconds. */
void order_put(unsigned index, uint64_t time);

/* The earliest time; NEVER: the heap is empty. */
uint64_t order_earliest(void);

/* Take the earliest out. The heap is not empty. */
unsigned order_take(void);

/* Take out this one; false: it is not in the heap. */
bool order_remove(unsigned index);

#endif
