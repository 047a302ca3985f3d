/*
 * Page tables: four levels of 512 entries. An entry holds a physical address and what is allowed there.
 *
 * The map, built once at boot by paging.c; from then on stack.c only adds to it:
 *
 *     0                    page 0: never mapped, so that a null pointer faults
 *     page 1 and up        physical memory and devices at their own addresses (the kernel's image among them)
 *     PAGING_STACK_WINDOW  the upper half of all addresses: memory used as stacks once more, with guards
 *                          (stack.c)
 */
#ifndef ARCH_BARE_PAGING_H
#define ARCH_BARE_PAGING_H

#include <stdint.h>

#include "arch/bare/machine.h"

#define PAGING_LEVELS  4
#define PAGING_ENTRIES 512

#define PAGING_PRESENT       (1ull << 0)
#define PAGING_WRITABLE      (1ull << 1)
#define PAGING_WRITE_THROUGH (1ull << 3) /* PWT and PCD choose the memory type: see features.c */
#define PAGING_CACHE_DISABLE (1ull << 4)
#define PAGING_ACCESSED      (1ull << 5)
#define PAGING_DIRTY         (1ull << 6)
#define PAGING_LARGE         (1ull << 7) /* in levels 2 and 3: a page, no table below */
#define PAGING_NO_EXECUTE    (1ull << 63)
#define PAGING_ADDRESS       0x000ffffffffff000ull

#define PAGING_STACK_WINDOW 0xffff800000000000ull

/* The stack window needs two addresses for each byte of memory, so half of the upper half is the limit. */
#define PAGING_PHYSICAL_LIMIT (1ull << 46)

/* How many bytes an entry of a level (1 to 4) maps, and which entry of its table maps an address. */
static inline uint64_t paging_size(unsigned level)
{
	return 1ull << (12 + 9 * (level - 1));
}

static inline unsigned paging_index(uint64_t address, unsigned level)
{
	return address / paging_size(level) % PAGING_ENTRIES;
}

/* The bits of an entry for memory of a type, without address and PAGING_LARGE. */
uint64_t paging_bits(enum paging_type type);

#endif
