#include "arch/x86_64/decode/memory_types.h"

#include <stddef.h>

#define PAGE_BITS ((uint64_t)0xfff)
#define FOUR_GIB  ((uint64_t)1 << 32)

/* A mask says which bits of an address count; the addresses that agree in these bits are [first, end), a power of two
 * in size. Bits beyond an address's width read as 0. False: the range is off. */
static bool range_bounds(const struct memory_types *types, unsigned i, uint64_t *first, uint64_t *end)
{
	uint64_t mask = types->range[i].mask & ~PAGE_BITS;
	if (!(types->range[i].mask & MEMORY_RANGE_VALID) || mask == 0)
		return false;
	uint64_t size = mask & (0 - mask);
	*first = types->range[i].base & mask;
	*end = *first + size;
	return true;
}

/* Where ranges overlap: uncached wins, then write-through; other mixtures are undefined, and count as uncached. */
static enum memory_type merged(enum memory_type one, enum memory_type other)
{
	if (one == other)
		return one;
	bool defined = (one == MEMORY_WRITE_THROUGH || one == MEMORY_WRITE_BACK) &&
	               (other == MEMORY_WRITE_THROUGH || other == MEMORY_WRITE_BACK);
	return defined ? MEMORY_WRITE_THROUGH : MEMORY_UNCACHED;
}

static void end_lower(uint64_t address, uint64_t border, uint64_t *end)
{
	if (border > address && border < *end)
		*end = border;
}

enum memory_type memory_type_at(const struct memory_types *types, uint64_t address, uint64_t *end)
{
	*end = UINT64_MAX;
	if (!(types->control & MEMORY_TYPES_ON))
		return MEMORY_UNCACHED;
	enum memory_type type = (enum memory_type)(types->control & MEMORY_TYPE_DEFAULT);
	bool found = false;
	for (unsigned i = 0; i < types->range_count; i++) {
		uint64_t first, last;
		if (!range_bounds(types, i, &first, &last))
			continue;
		end_lower(address, first, end);
		end_lower(address, last, end);
		if (address < first || address >= last)
			continue;
		enum memory_type here = (enum memory_type)(types->range[i].base & MEMORY_TYPE_DEFAULT);
		type = found ? merged(type, here) : here;
		found = true;
	}
	if (types->forced_end > FOUR_GIB) {
		end_lower(address, FOUR_GIB, end);
		end_lower(address, types->forced_end, end);
		if (address >= FOUR_GIB && address < types->forced_end && !found)
			type = MEMORY_WRITE_BACK;
	}
	return type;
}

bool memory_types_are_equal(const struct memory_types *one, const struct memory_types *other)
{
	bool equal = one->control == other->control && one->range_count == other->range_count &&
	             one->fixed_count == other->fixed_count;
	for (unsigned i = 0; equal && i < one->range_count; i++)
		equal = one->range[i].base == other->range[i].base && one->range[i].mask == other->range[i].mask;
	for (unsigned i = 0; equal && i < one->fixed_count; i++)
		equal = one->fixed[i] == other->fixed[i];
	return equal;
}
