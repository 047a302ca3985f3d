/*
 * Injected failures: an allocation fails although there is memory, to see that its caller copes as documented. With
 * fail=N on the command line the Nth allocation after the boot fails; with fail=N+ it fails and so does each later
 * one; with fail=0 none fails until failure_inject() says which.
 *
 * An allocation is an object of a pool (pool_take()) or a block of pages (memory_allocate()); the blocks that pools
 * themselves take count, too.
 *
 * Without the word this costs a load in memory_allocate(), and nothing in a pool. With it processors cache no
 * objects, so that every request reaches the place where it is counted.
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

/* Start counting as the command line says. At the end of the boot. */
void failure_start(void);

/* Start counting now: the Nth allocation fails, and with `on` all later ones, too; 0: none. While nothing is
 * allocated. */
void failure_inject(uint64_t number, bool on);

/* Called by an allocation if failure_is_wanted(): whether this one fails. `what` must stay in place. */
bool failure_comes(const char *what);

/* How many allocations were counted; what failed last, NULL: nothing. */
uint64_t failure_allocations(void);
const char *failure_last(void);

#endif
