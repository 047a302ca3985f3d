/*
 * Page tables: four levels of 512 entries. What physical address an entry holds and what may be done there.
 *
 * The map, made once at boot by paging.c and from then on only added to, by stack.c:
 *
 *     0                    page 0: never mapped, so that a null pointer faults
 *     page 1 and up        physical memory and devices at their own addresses (the kernel's image among them)
 *     PAGING_STACK_WINDOW  the upper half of all addresses: what serves as stack once more, with guards
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
#define PAGING_LARGE         (1ull << 7) /* in levels 2 and 3: no table below */
#define PAGING_NO_EXECUTE    (1ull << 63)
#define PAGING_ADDRESS       0x000ffffffffff000ull

#define PAGING_STACK_WINDOW 0xffff800000000000ull

/* The stack window takes two addresses for each of memory, so half of the upper half is what can be had. */
#define PAGING_PHYSICAL_LIMIT (1ull << 46)

/* How much an entry of a level (1 to 4) stands for, and which entry of its table an address has. */
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
