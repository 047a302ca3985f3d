/*
 * Which memory a processor caches: the memory type range registers, MTRRs (Intel's manual, volume 3, section 12.11;
 * AMD's, volume 2, section 7.7), which firmware sets on each processor.
 */
#ifndef ARCH_X86_64_DECODE_MEMORY_TYPES_H
#define ARCH_X86_64_DECODE_MEMORY_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#define MEMORY_RANGES_MAXIMUM 32
#define MEMORY_FIXED          11 /* registers for the first MiB */

enum memory_type {
	MEMORY_UNCACHED = 0,
	MEMORY_COMBINING = 1,
	MEMORY_WRITE_THROUGH = 4,
	MEMORY_WRITE_PROTECTED = 5,
	MEMORY_WRITE_BACK = 6, /* the type of all fast memory */
};

/* The registers, as read. */
struct memory_types {
	uint64_t control;
	unsigned range_count;
	struct {
		uint64_t base, mask;
	} range[MEMORY_RANGES_MAXIMUM];
	unsigned fixed_count; /* MEMORY_FIXED, or 0: none */
	uint64_t fixed[MEMORY_FIXED];
	uint64_t forced_end; /* on AMD: from 4 GiB up to here all is write-back; 0: nowhere */
};

#define MEMORY_TYPES_ON       (1ull << 11) /* in control; without it all is uncached */
#define MEMORY_TYPES_FIXED_ON (1ull << 10)
#define MEMORY_TYPE_DEFAULT   0xffull
#define MEMORY_RANGE_VALID    (1ull << 11) /* in a mask */

/* The type at an address from 1 MiB up; *end, above the address: up to where that type surely applies. */
enum memory_type memory_type_at(const struct memory_types *types, uint64_t address, uint64_t *end);

bool memory_types_are_equal(const struct memory_types *one, const struct memory_types *other);

#endif
