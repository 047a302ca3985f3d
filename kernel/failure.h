/*
 * Injected failures: memory that is there is refused, to see that whoever has asked for it goes on as it says. With the
 * word fail=N of the command line the Nth allocation after the boot fails, with fail=N+ each from that on; with fail=0
 * none does, until failure_inject() says which.
 *
 * An allocation is an object of a pool (pool_take()) or a block of pages (memory_allocate()), that which a pool takes
 * for its objects included.
 *
 * Without the word this costs a load in memory_allocate(), and nothing in a pool. With it processors keep no objects to
 * themselves, so that each request for one comes to where it is counted.
 *
 * | operation      | together with | progress  | takes effect       |
 * |----------------|---------------|-----------|--------------------|
 * | failure_comes  | everything    | wait-free | at the addition    |
 * | failure_inject | nothing       | wait-free | store by store     |
 */
#ifndef KERNEL_FAILURE_H
#define KERNEL_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/command_line.h"

/* Whether allocations are counted; constant after the boot. */
static inline bool failure_is_wanted(void)
{
	return __builtin_expect(command_line.fails, 0);
}

/* Count from here, as the command line says. At the end of the boot. */
void failure_start(void);

/* Count from here: the Nth allocation fails, and with `on` all that come later; 0: none. While nobody allocates. */
void failure_inject(uint64_t number, bool on);

/* Where something is allocated, if that is wanted: whether this one fails. `what` must stay. */
bool failure_comes(const char *what);

/* How many allocations there were; what failed last, NULL: nothing. */
uint64_t failure_allocations(void);
const char *failure_last(void);

#endif
