/*
 * What the tests of boot information share.
 */
#ifndef USER_TEST_BOOT_MAP_H
#define USER_TEST_BOOT_MAP_H

#include <stdint.h>
#include <string.h>

#include "kernel/boot_information.h"
#include "kernel/console.h"
#include "kernel/memory.h"

/* The warnings about damaged information are not under test. Returns the level to restore afterwards.
 */
static inline enum log_level warnings_silence(void)
{
	enum log_level before = log_level;
	log_level = LOG_ERROR;
	return before;
}

static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static inline bool regions_are_valid(const struct boot_information *boot)
{
	if (boot->region_count > BOOT_REGIONS_MAXIMUM)
		return false;
	uint64_t end = 1; /* page 0 is never free, and adjacent regions are merged */
	for (unsigned i = 0; i < boot->region_count; i++) {
		const struct boot_region *region = &boot->regions[i];
		if (region->base % PAGE_SIZE || region->length % PAGE_SIZE || !region->length || region->base < end ||
		    region->base + region->length < region->base)
			return false;
		end = region->base + region->length;
	}
	return true;
}

static inline bool region_is(const struct boot_information *boot, unsigned index, uint64_t base, uint64_t end)
{
	return index < boot->region_count && boot->regions[index].base == base &&
	       boot->regions[index].base + boot->regions[index].length == end;
}

#endif
