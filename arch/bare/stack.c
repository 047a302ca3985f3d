/*
 * Stacks with guards. S bytes of memory at physical address p are mapped a second time at
 *
 *     PAGING_STACK_WINDOW + 2 * p           S bytes that are not mapped: a stack overflow faults
 *     PAGING_STACK_WINDOW + 2 * p + S       the stack
 *
 * So every block of memory has its place there from the start, and nothing is allocated. Blocks in use at the same
 * time are disjoint, and so are their places; a block that became a stack stays one, so the mapping at its place
 * never changes. Mappings are only added, and processors do not cache missing mappings: no other processor must be
 * told.
 *
 * | operation      | progress                               | takes effect               |
 * |----------------|----------------------------------------|----------------------------|
 * | arch_stack_map | wait-free except for memory_allocate() | at the store of each entry |
 */
#include <stdatomic.h>
#include <string.h>

#include "arch/bare/paging.h"
#include "kernel/memory.h"

/* Checked is the page below the stack. */
const size_t arch_stack_guard = PAGE_SIZE;

const bool arch_has_foreign_code = false;

typedef _Atomic uint64_t table_entry;

static table_entry *root_table(void)
{
	return (table_entry *)paging_root();
}

static table_entry *table_of(uint64_t entry)
{
	return (table_entry *)(entry & PAGING_ADDRESS);
}

/* The table below an entry, created if there is none. NULL: no memory. */
static table_entry *stack_table_below(table_entry *entry)
{
	/* acquire: pairs with the CAS below: the table is seen cleared. */
	uint64_t present = atomic_load_explicit(entry, memory_order_acquire);
	if (present)
		return table_of(present);
	void *table = memory_allocate(PAGE_SIZE, MEMORY_ANY_NODE);
	if (!table)
		return NULL;
	memset(table, 0, PAGE_SIZE);
	uint64_t made = (uintptr_t)table | PAGING_PRESENT | PAGING_WRITABLE | PAGING_ACCESSED;
	/* nothing -> table; release: hands over the cleared table; acquire: takes over the table of a faster
	 * processor. */
	if (atomic_compare_exchange_strong_explicit(entry, &present, made, memory_order_release,
	                                            memory_order_acquire))
		return table;
	memory_free(table, PAGE_SIZE);
	return table_of(present);
}

static bool page_map(uint64_t address, uint64_t physical)
{
	table_entry *table = root_table();
	for (unsigned level = PAGING_LEVELS; level > 1; level--) {
		table = stack_table_below(&table[paging_index(address, level)]);
		if (!table)
			return false;
	}
	/* relaxed: a processor that uses the stack learned of it from us by an operation that orders. */
	atomic_store_explicit(&table[paging_index(address, 1)], physical | paging_bits(PAGING_READ_WRITE),
	                      memory_order_relaxed);
	return true;
}

static bool page_is_mapped(uint64_t address)
{
	const table_entry *table = root_table();
	for (unsigned level = PAGING_LEVELS;; level--) {
		/* acquire: pairs with the CAS in stack_table_below(). */
		uint64_t entry = atomic_load_explicit(&table[paging_index(address, level)], memory_order_acquire);
		if (!entry || level == 1)
			return entry != 0;
		table = table_of(entry);
	}
}

void *arch_stack_map(void *block, size_t *bytes, bool *guarded)
{
	uint64_t physical = (uintptr_t)block;
	uint64_t low = PAGING_STACK_WINDOW + 2 * physical + *bytes;
	for (size_t offset = 0; offset < *bytes; offset += PAGE_SIZE) {
		if (!page_map(low + offset, physical + offset))
			return NULL;
	}
	/* A smaller block inside this one that once was a stack has left its mapping where the guard would be. */
	*guarded = !page_is_mapped(low - PAGE_SIZE);
	return (void *)low;
}

/* All memory is mapped from the boot on. */
bool arch_memory_open(uintptr_t address, size_t bytes)
{
	(void)address, (void)bytes;
	return true;
}

/* Mappings are only added. */
bool arch_stack_lend(void *stack_low, uintptr_t address)
{
	(void)stack_low, (void)address;
	return false;
}

void arch_stack_take_back(void *stack_low)
{
	(void)stack_low;
}

uint8_t arch_stack_begin(void *stack_low, size_t stack_size)
{
	(void)stack_low, (void)stack_size;
	return 0;
}
