/*
 * Work from which host.c finds what the host's instructions take, all of it in the nearest cache. The file is compiled
 * as it is, and once more with its instructions counted by the plugin. Each function returns a number that depends on
 * all its work.
 */
#ifndef SIMULATED_MIX_H
#define SIMULATED_MIX_H

#include <stdint.h>

/* Atomic operations of a round of mix_locked(); divisions of a round of mix_divide4() and mix_divide8(). */
#define MIX_LOCKED 2
#define MIX_DIVIDE 4

/* A scheduler's: queues of items; and the same with a lock taken and given back in each round. */
uint64_t mix_run(uint64_t rounds);
uint64_t mix_run_counted(uint64_t rounds);
uint64_t mix_locked(uint64_t rounds);
uint64_t mix_locked_counted(uint64_t rounds);

/* Numbers by chance in a heap; words in a table. */
uint64_t mix_sort(uint64_t rounds);
uint64_t mix_sort_counted(uint64_t rounds);
uint64_t mix_text(uint64_t rounds);
uint64_t mix_text_counted(uint64_t rounds);

/* Divisions of numbers of four and of eight bytes, with as little between them as possible. */
uint64_t mix_divide4(uint64_t rounds);
uint64_t mix_divide4_counted(uint64_t rounds);
uint64_t mix_divide8(uint64_t rounds);
uint64_t mix_divide8_counted(uint64_t rounds);

#endif
