/*
 * The order in which virtual processors go on: a heap, by time, of those that are ready or halted until a deadline. At
 * equal times the lower index goes first, so that the order is the same on every host.
 */
#ifndef MACHINE_ORDER_H
#define MACHINE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Insert a processor that is not in the heap. The time is below 2^54 picoseconds. */
void order_put(unsigned index, uint64_t time);

/* The earliest time; NEVER: the heap is empty. */
uint64_t order_earliest(void);

/* Remove the earliest. The heap is not empty. */
unsigned order_take(void);

/* Remove a processor; false: it is not in the heap. */
bool order_remove(unsigned index);

#endif
