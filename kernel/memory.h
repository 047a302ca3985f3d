/*
 * Physical pages by NUMA node. Blocks are powers of two of pages, aligned to their size.
 *
 * | operation       | progress                            | takes effect                    |
 * |-----------------|-------------------------------------|---------------------------------|
 * | memory_allocate | lock-free; wait-free from the cache | at the CAS that takes the block |
 * | memory_free     | lock-free; wait-free to the cache   | at the CAS that links the block |
 * | memory_count    | wait-free                           | a snapshot, exact only at rest  |
 *
 * May be called by any processor, but not by a thread that is no processor.
 */
#ifndef KERNEL_MEMORY_H
#define KERNEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_SIZE            ((size_t)4096)
#define MEMORY_BLOCK_LARGEST ((size_t)1 << 30)
#define MEMORY_ANY_NODE      (~0u)

struct boot_information;

/* Take over the regions that are left in `boot`. Called once, by the boot processor, after arch_machine_start() and
 * topology discovery. Panics if there is too little memory to go on, and says how much was found. */
void memory_start(const struct boot_information *boot);

/* A block of at least `bytes` (at most MEMORY_BLOCK_LARGEST; rounded up to a power of two of pages), from `node` if
 * it has one left, else from the nearest node that has. MEMORY_ANY_NODE means this processor's node. The contents are
 * undefined. NULL: out of memory; blocks that other processors cache, or are splitting just now, do not count. */
void *memory_allocate(size_t bytes, unsigned node);

/* Give a block back; `bytes` as in the request. */
void memory_free(void *block, size_t bytes);

/* Contiguous memory of any size for tables made at boot, zeroed, aligned to a pair of cache lines, never given back.
 * Panics (with the size asked and what is free) when there is none. Boot processor only, before
 * arch_processors_release(). */
void *memory_boot(size_t bytes, unsigned node);

struct memory_count {
	uint64_t total, free; /* bytes */
};
struct memory_count memory_count(unsigned node); /* MEMORY_ANY_NODE: all nodes together */

/* For callers that cannot go on without memory: panic with the size asked for, its purpose, and what is free on each
 * node. */
_Noreturn void memory_exhausted(size_t bytes, const char *purpose);

#endif
