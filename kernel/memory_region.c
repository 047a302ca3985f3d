#include "kernel/memory_region.h"

#include <string.h>

#include "arch/arch.h"
#include "kernel/console.h"
#include "kernel/memory.h"

struct memory_region memory_regions[REGIONS_MAXIMUM];
unsigned memory_region_count;

#define MARKS_A_WORD 64

static uint64_t round_up_to_page(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
}

/* Where the node may next change after `address`, `end` at most. */
static uint64_t next_border(uint64_t address, uint64_t end)
{
	for (unsigned i = 0; i < topology.range_count; i++) {
		/* A page that two nodes share belongs to the node of its first byte. */
		uint64_t low = round_up_to_page(topology.range[i].base);
		uint64_t high = round_up_to_page(topology.range[i].base + topology.range[i].length);
		if (low > address && low < end)
			end = low;
		if (high > address && high < end)
			end = high;
	}
	return end;
}

/* Add [base, end). Its first pages hold the links and marks of all its pages; a region with no room for more is left
 * out. */
static void region_add(uint64_t base, uint64_t end, unsigned node)
{
	const struct memory_region *last =
	    memory_region_count > 0 ? &memory_regions[memory_region_count - 1] : NULL;
	uint32_t first = last ? last->first + last->pages : 0;
	uint64_t pages = (end - base) / PAGE_SIZE;

	if (pages > PAGES_MAXIMUM - first) {
		log_warning("memory beyond 16 TiB is left out, from address 0x%lx", (unsigned long)base);
		pages = PAGES_MAXIMUM - first;
	}
	uint64_t mark_words = (pages + MARKS_A_WORD - 1) / MARKS_A_WORD;
	uint64_t table_bytes = mark_words * sizeof(uint64_t) + pages * sizeof(uint32_t);
	uint64_t table_pages = round_up_to_page(table_bytes) / PAGE_SIZE;
	if (pages <= table_pages)
		return;
	if (memory_region_count == REGIONS_MAXIMUM) {
		log_warning("memory at 0x%lx is left out: there are more than %d regions", (unsigned long)base,
		            REGIONS_MAXIMUM);
		return;
	}
	if (!arch_memory_open(base, mark_words * sizeof(uint64_t))) {
		log_warning("memory at 0x%lx is left out: the machine does not give it", (unsigned long)base);
		return;
	}
	struct memory_region *region = &memory_regions[memory_region_count++];
	region->base = base;
	region->first = first;
	region->pages = (uint32_t)pages;
	region->node = node;
	region->marks = memset((void *)(uintptr_t)base, 0, mark_words * sizeof(uint64_t));
	region->links = (_Atomic uint32_t *)(region->marks + mark_words);
	atomic_store_explicit(&region->next, (uint32_t)table_pages, memory_order_relaxed);
}

void regions_create(const struct boot_information *boot)
{
	memory_region_count = 0;
	for (unsigned i = 0; i < boot->region_count; i++) {
		uint64_t base = boot->regions[i].base;
		uint64_t end = base + boot->regions[i].length;
		while (base < end) {
			unsigned node = topology_node_of(base);
			uint64_t border = next_border(base, end);
			while (border < end && topology_node_of(border) == node)
				border = next_border(border, end);
			region_add(base, border, node);
			base = border;
		}
	}
}

struct memory_region *region_of_address(uint64_t address)
{
	unsigned low = 0, high = memory_region_count;
	while (low < high) {
		unsigned middle = (low + high) / 2;
		if (memory_regions[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	struct memory_region *region = &memory_regions[low - 1];
	return address - region->base < (uint64_t)region->pages * PAGE_SIZE ? region : NULL;
}

struct memory_region *region_of_page(uint32_t page)
{
	unsigned low = 1, high = memory_region_count;
	while (low < high) {
		unsigned middle = (low + high) / 2;
		if (memory_regions[middle].first <= page)
			low = middle + 1;
		else
			high = middle;
	}
	return &memory_regions[low - 1];
}

void region_mark(struct memory_region *region, uint32_t page, bool set)
{
	uint32_t place = page - region->first;
	uint64_t mark = (uint64_t)1 << place % MARKS_A_WORD;
	if (set)
		region->marks[place / MARKS_A_WORD] |= mark;
	else
		region->marks[place / MARKS_A_WORD] &= ~mark;
}

bool region_is_marked(const struct memory_region *region, uint32_t page)
{
	uint32_t place = page - region->first;
	return region->marks[place / MARKS_A_WORD] >> place % MARKS_A_WORD & 1;
}

/* The first aligned page of the region from `next` on; UINT32_MAX: too few pages are left. */
static uint32_t aligned_page(const struct memory_region *region, uint32_t next, uint64_t pages,
                             uint32_t alignment)
{
	uint64_t base_page = region->base / PAGE_SIZE;
	uint64_t start = ((base_page + next + alignment - 1) & ~(uint64_t)(alignment - 1)) - base_page;
	return start + pages <= region->pages ? (uint32_t)start : UINT32_MAX;
}

bool region_fits(const struct memory_region *region, uint64_t pages, uint32_t alignment)
{
	uint32_t next = atomic_load_explicit(&region->next, memory_order_relaxed);
	return aligned_page(region, next, pages, alignment) != UINT32_MAX;
}

/* The pages [first, end) of the region, and the links to them. */
static bool pages_open(const struct memory_region *region, uint32_t first, uint32_t end)
{
	return arch_memory_open(region->base + first * PAGE_SIZE, (end - first) * PAGE_SIZE) &&
	       arch_memory_open((uintptr_t)&region->links[first], (end - first) * sizeof(*region->links));
}

bool region_cut(struct memory_region *region, uint64_t pages, uint32_t alignment, uint32_t *skipped,
                uint32_t *page)
{
	uint32_t next = atomic_load_explicit(&region->next, memory_order_relaxed);
	uint32_t start;
	do {
		start = aligned_page(region, next, pages, alignment);
		if (start == UINT32_MAX)
			return false;
		/* relaxed: nothing was written to these pages. */
	} while (!atomic_compare_exchange_weak_explicit(&region->next, &next, start + (uint32_t)pages,
	                                                memory_order_relaxed, memory_order_relaxed));
	*skipped = region->first + next;
	*page = region->first + start;
	return pages_open(region, next, start + (uint32_t)pages);
}
