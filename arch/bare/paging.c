/*
 * The page tables that are built at boot. The map is painted: later settings cover earlier ones, and a large page
 * that changes only in part is split.
 */
#include <string.h>

#include "arch/bare/paging.h"
#include "arch/x86_64/instructions.h"
#include "kernel/boot_information.h"
#include "kernel/console.h"
#include "kernel/memory.h"
#include "kernel/panic.h"

#define LOW_LIMIT (1ull << 32)

#define CPUID_LEAF_EXTENDED  0x80000001
#define CPUID_EDX_PAGES_1GIB (1u << 26)
#define CPUID_LEAF_ADDRESSES 0x80000008
#define ADDRESS_BITS_DEFAULT 36

/* From linker.ld and entry.asm: starts are page-aligned; ends need not be. */
extern const char image_text_start[], image_text_end[], image_rodata_start[], image_rodata_end[],
    image_symbols_start[], image_symbols_end[];
extern const char boot_stack_guard[];

static struct boot_information *memory_source;
static uint64_t *root;
static bool is_loaded;
static unsigned largest_level; /* of a page: 2 MiB or 1 GiB */
static uint64_t physical_limit;
static uint64_t no_execute; /* PAGING_NO_EXECUTE where the processor has it */

uint64_t paging_bits(enum paging_type type)
{
	/* Accessed and dirty from the start, so that the processor need not set them. */
	const uint64_t present = PAGING_PRESENT | PAGING_ACCESSED | PAGING_DIRTY;
	switch (type) {
	case PAGING_NONE:
		return 0;
	case PAGING_EXECUTE:
		return present;
	case PAGING_READ_ONLY:
		return present | no_execute;
	case PAGING_READ_WRITE:
		return present | no_execute | PAGING_WRITABLE;
	case PAGING_DEVICE:
		return present | no_execute | PAGING_WRITABLE | PAGING_CACHE_DISABLE | PAGING_WRITE_THROUGH;
	case PAGING_COMBINE:
		return present | no_execute | PAGING_WRITABLE | PAGING_WRITE_THROUGH;
	}
	panic("page tables: there is no type %d of memory", type);
}

/* Below 4 GiB: the current tables map no more, and processors start with 32 bits. */
static uint64_t *table_create(void)
{
	uint64_t *table = (uint64_t *)boot_memory_take(memory_source, PAGE_SIZE, LOW_LIMIT);
	if (!table)
		panic("page tables: no page of memory is left below 4 GiB; give the machine more memory");
	return memset(table, 0, PAGE_SIZE);
}

/* The table that an entry of `level` refers to; created if there is none, from the parts of a large page if the entry
 * is one. */
static uint64_t *paging_table_below(uint64_t *entry, unsigned level)
{
	if ((*entry & PAGING_PRESENT) && !(*entry & PAGING_LARGE))
		return (uint64_t *)(*entry & PAGING_ADDRESS);
	uint64_t *table = table_create();
	if (*entry & PAGING_PRESENT) {
		uint64_t part = level - 1 == 1 ? *entry & ~PAGING_LARGE : *entry;
		for (unsigned i = 0; i < PAGING_ENTRIES; i++)
			table[i] = part + i * paging_size(level - 1);
	}
	*entry = (uintptr_t)table | PAGING_PRESENT | PAGING_WRITABLE | PAGING_ACCESSED;
	return table;
}

/* Paint [base, end), which is whole pages. */
static void range_set(uint64_t base, uint64_t end, enum paging_type type)
{
	uint64_t bits = paging_bits(type);
	while (base < end) {
		unsigned level = 1;
		while (level < largest_level && base % paging_size(level + 1) == 0 &&
		       end - base >= paging_size(level + 1))
			level++;
		uint64_t *table = root;
		for (unsigned above = PAGING_LEVELS; above > level; above--)
			table = paging_table_below(&table[paging_index(base, above)], above);
		table[paging_index(base, level)] = bits ? base | bits | (level > 1 ? PAGING_LARGE : 0) : 0;
		base += paging_size(level);
	}
}

static uint64_t round_down(uint64_t address, uint64_t size)
{
	return address & ~(size - 1);
}

static uint64_t round_up(uint64_t address, uint64_t size)
{
	return round_down(address + size - 1, size);
}

static void range_set_pages(uint64_t base, uint64_t length, enum paging_type type)
{
	range_set(round_down(base, PAGE_SIZE), round_up(base + length, PAGE_SIZE), type);
}

/* What entries can hold and the stack window can map. */
static uint64_t physical_limit_find(void)
{
	unsigned bits = cpuid(CPUID_LEAF_ADDRESSES, 0).eax & 0xff;
	if (bits == 0)
		bits = ADDRESS_BITS_DEFAULT;
	return bits < 46 ? 1ull << bits : PAGING_PHYSICAL_LIMIT;
}

static void memory_limit(struct boot_information *boot)
{
	if (boot->region_count) {
		const struct boot_region *last = &boot->regions[boot->region_count - 1];
		if (last->base + last->length > physical_limit)
			log_warning("page tables: memory above 0x%lx is left unused: it is beyond what can be mapped",
			            (unsigned long)physical_limit);
	}
	boot_memory_reserve(boot, physical_limit, UINT64_MAX - physical_limit);
}

/* Map memory in large pages, rounded outwards: the firmware's own data lies around the regions of memory. */
static void memory_set(const struct boot_information *boot)
{
	/* A copy: making tables takes memory out of the map. */
	struct boot_region regions[BOOT_REGIONS_MAXIMUM];
	memcpy(regions, boot->regions, sizeof(regions));
	unsigned count = boot->region_count;

	uint64_t low_end = 0;
	for (unsigned i = 0; i < count; i++) {
		uint64_t base = round_down(regions[i].base, paging_size(2));
		uint64_t end = round_up(regions[i].base + regions[i].length, paging_size(2));
		if (base < LOW_LIMIT)
			low_end = end < LOW_LIMIT ? end : LOW_LIMIT;
		if (end > LOW_LIMIT)
			range_set(base < LOW_LIMIT ? LOW_LIMIT : base, end, PAGING_READ_WRITE);
	}
	/* The devices are above the highest memory below 4 GiB. */
	range_set(0, low_end, PAGING_READ_WRITE);
	range_set(low_end, LOW_LIMIT, PAGING_DEVICE);
}

static void image_set(void)
{
	range_set_pages((uintptr_t)image_text_start, (uintptr_t)(image_text_end - image_text_start),
	                PAGING_EXECUTE);
	range_set_pages((uintptr_t)image_rodata_start, (uintptr_t)(image_rodata_end - image_rodata_start),
	                PAGING_READ_ONLY);
	range_set_pages((uintptr_t)image_symbols_start, (uintptr_t)(image_symbols_end - image_symbols_start),
	                PAGING_READ_ONLY);
	range_set_pages(interrupt_table_page(), PAGE_SIZE, PAGING_READ_ONLY);
	range_set_pages((uintptr_t)boot_stack_guard, PAGE_SIZE, PAGING_NONE);
}

static void framebuffer_set(struct boot_framebuffer *framebuffer)
{
	uint64_t size = (uint64_t)framebuffer->pitch * framebuffer->height;
	if (!framebuffer->present)
		return;
	if (framebuffer->address > physical_limit || size > physical_limit - framebuffer->address) {
		log_warning(
		    "page tables: the framebuffer at 0x%lx is beyond what can be mapped; going on without a screen",
		    (unsigned long)framebuffer->address);
		framebuffer->present = false;
		return;
	}
	range_set_pages(framebuffer->address, size, PAGING_COMBINE);
}

void paging_start(struct boot_information *boot)
{
	memory_source = boot;
	no_execute = processor_has_no_execute() ? PAGING_NO_EXECUTE : 0;
	if (!no_execute)
		log_warning(
		    "page tables: this processor cannot forbid the execution of data, or its firmware has that off");
	largest_level = cpuid(CPUID_LEAF_EXTENDED, 0).edx & CPUID_EDX_PAGES_1GIB ? 3 : 2;
	physical_limit = physical_limit_find();
	memory_limit(boot);

	root = table_create();
	memory_set(boot);
	image_set();
	range_set_pages(0, PAGE_SIZE, PAGING_NONE);
	framebuffer_set(&boot->framebuffer);
	control_write_3((uintptr_t)root);
	is_loaded = true;
}

uint64_t paging_root(void)
{
	return is_loaded ? (uintptr_t)root : 0;
}

/* The size of the page with this address; 0: it is not mapped. */
static uint64_t page_size_at(uint64_t address)
{
	const uint64_t *table = root;
	for (unsigned level = PAGING_LEVELS;; level--) {
		uint64_t entry = table[paging_index(address, level)];
		if (!(entry & PAGING_PRESENT))
			return 0;
		if (level == 1 || (entry & PAGING_LARGE))
			return paging_size(level);
		table = (const uint64_t *)(entry & PAGING_ADDRESS);
	}
}

bool paging_covers(uint64_t base, uint64_t length)
{
	if (!is_loaded || base >= PAGING_PHYSICAL_LIMIT || length > PAGING_PHYSICAL_LIMIT - base)
		return false;
	for (uint64_t at = base; at < base + length;) {
		uint64_t size = page_size_at(at);
		if (!size)
			return false;
		at = round_down(at, size) + size;
	}
	return true;
}
