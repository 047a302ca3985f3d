/*
 * The map of unused memory: sorted, disjoint, page-aligned regions.
 */
#include <string.h>

#include "kernel/boot_information.h"
#include "kernel/boot_loader.h"
#include "kernel/console.h"
#include "kernel/memory.h"

#define PAGE_MASK        ((uint64_t)PAGE_SIZE - 1)
#define MEMORY_AVAILABLE 1 /* the type of an entry; all others are taken */

static uint64_t region_end(const struct boot_region *region)
{
	return region->base + region->length;
}

/* The end of a range, cut off at the end of the address space, at a whole number of pages: rounding up cannot
 * wrap. */
static uint64_t range_end(uint64_t base, uint64_t length)
{
	return length > (UINT64_MAX & ~PAGE_MASK) - base ? UINT64_MAX & ~PAGE_MASK : base + length;
}

static void region_set(struct boot_region *region, uint64_t base, uint64_t end)
{
	region->base = base;
	region->length = end - base;
}

static void region_drop_warning(uint64_t base, uint64_t end)
{
	log_warning("memory map: more than %d regions; %lu KiB at 0x%lx are left unused", BOOT_REGIONS_MAXIMUM,
	            (unsigned long)((end - base) >> 10), (unsigned long)base);
}

/* Put `count` regions, one or none, in the place of those from `first` up to `last`. */
static void regions_replace(struct boot_information *boot, unsigned first, unsigned last, unsigned count)
{
	memmove(&boot->regions[first + count], &boot->regions[last],
	        (boot->region_count - last) * sizeof(boot->regions[0]));
	boot->region_count = boot->region_count - (last - first) + count;
}

void boot_memory_add(struct boot_information *boot, uint64_t base, uint64_t length)
{
	uint64_t end = range_end(base, length) & ~PAGE_MASK;
	if (base > end)
		return;
	/* Page 0 is never memory, because address 0 means none. */
	base = base == 0 ? PAGE_SIZE : (base + PAGE_MASK) & ~PAGE_MASK;
	if (base >= end)
		return;

	unsigned first = 0;
	while (first < boot->region_count && region_end(&boot->regions[first]) < base)
		first++;
	/* Regions that touch the new one are merged with it. */
	unsigned last = first;
	for (; last < boot->region_count && boot->regions[last].base <= end; last++) {
		if (boot->regions[last].base < base)
			base = boot->regions[last].base;
		if (region_end(&boot->regions[last]) > end)
			end = region_end(&boot->regions[last]);
	}
	if (first == last && boot->region_count == BOOT_REGIONS_MAXIMUM) {
		region_drop_warning(base, end);
		return;
	}
	regions_replace(boot, first, last, 1);
	region_set(&boot->regions[first], base, end);
}

/* Take [base, end) out of region `index`. It lies inside, away from both ends. */
static void region_split(struct boot_information *boot, unsigned index, uint64_t base, uint64_t end)
{
	struct boot_region *region = &boot->regions[index];
	uint64_t low = region->base, high = region_end(region);
	if (boot->region_count < BOOT_REGIONS_MAXIMUM) {
		regions_replace(boot, index, index, 1);
		region_set(&boot->regions[index], low, base);
		region_set(&boot->regions[index + 1], end, high);
	} else if (base - low >= high - end) {
		region_drop_warning(end, high);
		region_set(region, low, base);
	} else {
		region_drop_warning(low, base);
		region_set(region, end, high);
	}
}

void boot_memory_reserve(struct boot_information *boot, uint64_t base, uint64_t length)
{
	if (length == 0)
		return;
	uint64_t end = (range_end(base, length) + PAGE_MASK) & ~PAGE_MASK;
	base &= ~PAGE_MASK;
	for (unsigned i = 0; i < boot->region_count;) {
		struct boot_region *region = &boot->regions[i];
		uint64_t low = region->base, high = region_end(region);
		if (high <= base || low >= end) {
			i++;
		} else if (base <= low && high <= end) {
			regions_replace(boot, i, i + 1, 0);
		} else if (low < base && end < high) {
			region_split(boot, i, base, end);
			return;
		} else {
			if (low < base)
				region_set(region, low, base);
			else
				region_set(region, end, high);
			i++;
		}
	}
}

bool boot_memory_is_free(const struct boot_information *boot, uint64_t base, uint64_t length)
{
	for (unsigned i = 0; i < boot->region_count; i++) {
		const struct boot_region *region = &boot->regions[i];
		if (base >= region->base && base < region_end(region))
			return length <= region_end(region) - base;
	}
	return false;
}

uint64_t boot_memory_take(struct boot_information *boot, uint64_t bytes, uint64_t limit)
{
	if (bytes == 0 || bytes > UINT64_MAX - PAGE_MASK)
		return 0;
	bytes = (bytes + PAGE_MASK) & ~PAGE_MASK;
	limit &= ~PAGE_MASK;
	/* Search from the top: low memory is scarce, and some devices need it. */
	for (unsigned i = boot->region_count; i-- > 0;) {
		const struct boot_region *region = &boot->regions[i];
		uint64_t end = region_end(region) < limit ? region_end(region) : limit;
		if (end > region->base && end - region->base >= bytes) {
			boot_memory_reserve(boot, end - bytes, bytes);
			return end - bytes;
		}
	}
	return 0;
}

void boot_memory_map_read(struct boot_information *boot, const uint8_t *map, size_t length, size_t stride)
{
	/* Additions first, so that a reservation wins where entries overlap. */
	for (int available = 1; available >= 0; available--) {
		for (size_t at = 0; length - at >= stride; at += stride) {
			uint64_t base = boot_read_64(map + at), size = boot_read_64(map + at + 8);
			bool is_available = boot_read_32(map + at + 16) == MEMORY_AVAILABLE;
			if (available && is_available)
				boot_memory_add(boot, base, size);
			else if (!available && !is_available)
				boot_memory_reserve(boot, base, size);
		}
	}
}

void boot_command_line_copy(struct boot_information *boot, const char *text, size_t length)
{
	size_t used = strnlen(text, length);
	boot->command_line_cut = used >= COMMAND_LINE_MAXIMUM;
	if (boot->command_line_cut)
		used = COMMAND_LINE_MAXIMUM - 1;
	memcpy(boot->command_line, text, used);
	boot->command_line[used] = 0;
}
