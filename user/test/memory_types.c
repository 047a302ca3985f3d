/*
 * Which memory is cached, from registers as firmware sets them.
 */
#include <stddef.h>

#include "arch/x86_64/decode/memory_types.h"
#include "user/test/test.h"

#define ON    (MEMORY_TYPES_ON | MEMORY_TYPES_FIXED_ON)
#define VALID MEMORY_RANGE_VALID
#define MIB   ((uint64_t)1 << 20)
#define GIB   ((uint64_t)1 << 30)

/* Everything is write-back except from 3 to 4 GiB (like most firmware now). */
static const struct memory_types holes = {
    .control = ON | MEMORY_WRITE_BACK,
    .range_count = 4,
    .range = {{3 * GIB | MEMORY_UNCACHED, 0x3fffc0000000 | VALID}, {0, 0}, {0, 0}, {0, 0}}};

/* Everything is uncached except what is listed; 36-bit addresses, with a hole in the memory (like older firmware). */
static const struct memory_types islands = {
    .control = ON | MEMORY_UNCACHED,
    .range_count = 4,
    .range = {{0 | MEMORY_WRITE_BACK, 0xf00000000 | VALID},
              {4 * GIB | MEMORY_WRITE_BACK, 0xfe0000000 | VALID},
              {0xe0000000 | MEMORY_UNCACHED, 0xfe0000000 | VALID},
              {0x10000000 | MEMORY_WRITE_THROUGH, 0xff0000000 | VALID}}};

/* AMD: above 4 GiB all that is known is that memory is cached. */
static const struct memory_types forced = {.control = ON | MEMORY_UNCACHED,
                                           .range_count = 1,
                                           .range = {{0 | MEMORY_WRITE_BACK, 0xffff80000000 | VALID}},
                                           .forced_end = 68 * GIB};

TEST(memory_types, are_found_by_address)
{
	static const struct {
		const struct memory_types *types;
		uint64_t address;
		enum memory_type type;
		uint64_t end;
	} known[] = {
	    {&holes, MIB, MEMORY_WRITE_BACK, 3 * GIB},
	    {&holes, 3 * GIB - 1, MEMORY_WRITE_BACK, 3 * GIB},
	    {&holes, 3 * GIB, MEMORY_UNCACHED, 4 * GIB},
	    {&holes, 4 * GIB, MEMORY_WRITE_BACK, UINT64_MAX},
	    {&islands, MIB, MEMORY_WRITE_BACK, 0x10000000},
	    {&islands, 0x10000000, MEMORY_WRITE_THROUGH, 0x20000000},
	    {&islands, 0x20000000, MEMORY_WRITE_BACK, 0xe0000000},
	    {&islands, 0xe0000000, MEMORY_UNCACHED, 4 * GIB},
	    {&islands, 4 * GIB, MEMORY_WRITE_BACK, 4 * GIB + 512 * MIB},
	    {&islands, 4 * GIB + 512 * MIB, MEMORY_UNCACHED, UINT64_MAX},
	    {&forced, 2 * GIB, MEMORY_UNCACHED, 4 * GIB},
	    {&forced, 4 * GIB, MEMORY_WRITE_BACK, 68 * GIB},
	    {&forced, 68 * GIB, MEMORY_UNCACHED, UINT64_MAX},
	};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint64_t end;
		CHECK_EQUAL(memory_type_at(known[i].types, known[i].address, &end), known[i].type);
		CHECK_EQUAL(end, known[i].end);
	}
}

TEST(memory_types, that_are_off_cache_nothing)
{
	struct memory_types off = holes;
	uint64_t end;
	off.control &= ~MEMORY_TYPES_ON;
	CHECK_EQUAL(memory_type_at(&off, MIB, &end), MEMORY_UNCACHED);
	CHECK_EQUAL(end, UINT64_MAX);
}

/* Registers may hold anything; a walk through all memory must end. */
TEST(memory_types, lead_on_to_the_end_of_memory)
{
	uint64_t random = 1;
	for (unsigned round = 0; round < 2000; round++) {
		struct memory_types strange = {.control = ON, .range_count = MEMORY_RANGES_MAXIMUM};
		for (unsigned i = 0; i < MEMORY_RANGES_MAXIMUM; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			strange.range[i].base = random;
			strange.range[i].mask = random * 3 | VALID;
		}
		strange.forced_end = random;
		unsigned steps = 0;
		for (uint64_t at = MIB, end; at < UINT64_MAX; at = end) {
			memory_type_at(&strange, at, &end);
			CHECK(end > at);
			CHECK(++steps <= 3 * MEMORY_RANGES_MAXIMUM);
		}
	}
}

TEST(memory_types, are_compared_whole)
{
	struct memory_types one = holes, other = holes;
	CHECK(memory_types_are_equal(&one, &other));
	other.range[3].mask = 1;
	CHECK(!memory_types_are_equal(&one, &other));
	other = holes;
	other.control ^= 1;
	CHECK(!memory_types_are_equal(&one, &other));
	one.fixed_count = other.fixed_count = MEMORY_FIXED;
	other = one;
	other.fixed[MEMORY_FIXED - 1] = 6;
	CHECK(!memory_types_are_equal(&one, &other));
}
