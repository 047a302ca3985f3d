/*
 * Ranges of physical memory, each of one NUMA node, cut from their low end. The pages of all regions together are
 * numbered densely from 0, in 32 bits: that is 16 TiB, and memory beyond is left out.
 *
 *     base                                                          next
 *     | links and marks of the region's pages | handed out, or free ... | never used yet |
 *
 * The regions are fixed after memory_start(); `next` only grows, by compare-and-exchange.
 *
 * | operation     | progress                                          | takes effect       |
 * |---------------|---------------------------------------------------|--------------------|
 * | region_cut    | lock-free                                         | at the CAS of next |
 * | the others    | wait-free                                         | constant data      |
 */
#ifndef KERNEL_MEMORY_REGION_H
#define KERNEL_MEMORY_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/boot_information.h"
#include "kernel/memory.h"
#include "kernel/topology.h"

#define REGIONS_MAXIMUM (BOOT_REGIONS_MAXIMUM + 2 * NODE_RANGES_MAXIMUM)
#define PAGES_MAXIMUM   UINT32_MAX /* the last number means none */

struct memory_region {
	uint64_t base; /* address of its first page */
	uint32_t first, pages;
	unsigned node;
	_Atomic uint32_t next;   /* page within the region */
	_Atomic uint32_t *links; /* a link for each page, for the free lists; written before they are read */
	uint64_t *marks;         /* a bit for each page, for node_merge(); clear at first */
};

/* Sorted by base and so by first. */
extern struct memory_region memory_regions[REGIONS_MAXIMUM];
extern unsigned memory_region_count;

/* Fill the table from the boot loader's map, split where the node changes. */
void regions_create(const struct boot_information *boot);

/* The region of an address; NULL where there is none. */
struct memory_region *region_of_address(uint64_t address);

/* The region of a page that exists. */
struct memory_region *region_of_page(uint32_t page);

/* The page's number on the machine, for alignment. */
static inline uint64_t region_page_number(const struct memory_region *region, uint32_t page)
{
	return region->base / PAGE_SIZE + (page - region->first);
}

static inline void *region_page_address(const struct memory_region *region, uint32_t page)
{
	return (void *)(uintptr_t)(region_page_number(region, page) * PAGE_SIZE);
}

static inline uint32_t region_page_at(const struct memory_region *region, uint64_t address)
{
	return region->first + (uint32_t)((address - region->base) / PAGE_SIZE);
}

static inline uint32_t region_pages_left(const struct memory_region *region)
{
	return region->pages - atomic_load_explicit(&region->next, memory_order_relaxed);
}

/* Take `pages` pages that were never used, aligned to `alignment` pages (a power of two) on the machine. The pages
 * [*skipped, *page) were passed over for the alignment, and belong to the caller too. False: too few pages are
 * left, or the machine does not give them; then they are lost. */
bool region_cut(struct memory_region *region, uint64_t pages, uint32_t alignment, uint32_t *skipped,
                uint32_t *page);

/* Set or clear a page's mark, or ask for it. By one processor at a time. */
void region_mark(struct memory_region *region, uint32_t page, bool set);
bool region_is_marked(const struct memory_region *region, uint32_t page);

/* Whether region_cut() would succeed now. */
bool region_fits(const struct memory_region *region, uint64_t pages, uint32_t alignment);

#endif
