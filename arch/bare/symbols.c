/*
 * Names for addresses.
 */
#include "arch/arch.h"

/* From linker.ld. */
extern const char image_text_start[], image_text_end[], image_user_end[];

/* Made by tools/make/symbols. */
extern const uint32_t symbol_count;
extern const uint32_t symbol_addresses[]; /* ascending */
extern const uint32_t symbol_names[];     /* offsets in symbol_text */
extern const char symbol_text[];

static bool is_between(uintptr_t address, const char *start, const char *end)
{
	return address >= (uintptr_t)start && address < (uintptr_t)end;
}

const char *arch_symbol(uintptr_t address, size_t *offset)
{
	if (!is_between(address, image_text_start, image_text_end))
		return NULL;
	/* Symbols below `low` are not above the address; those from `high` on are. */
	uint32_t low = 0, high = symbol_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (symbol_addresses[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	*offset = address - symbol_addresses[low - 1];
	return symbol_text + symbol_names[low - 1];
}

bool arch_is_user_code(uintptr_t address)
{
	/* The kernel's own text follows the user code. An address in no code counts as user code, too: a task jumped
	 * there through a bad pointer. */
	return !is_between(address, image_user_end, image_text_end) || arch_is_quantum_code(address);
}
