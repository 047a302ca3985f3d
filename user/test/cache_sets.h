/*
 * Over how many sets of the first-level cache some addresses are spread.
 */
#ifndef USER_TEST_CACHE_SETS_H
#define USER_TEST_CACHE_SETS_H

#include <stdbool.h>

#include "kernel/colour.h"

static inline unsigned cache_sets_count(const uintptr_t *addresses, unsigned count)
{
	bool seen[COLOUR_SPAN / CACHE_LINE] = {false};
	unsigned sets = 0;
	for (unsigned i = 0; i < count; i++) {
		bool *set = &seen[addresses[i] % COLOUR_SPAN / CACHE_LINE];
		sets += !*set;
		*set = true;
	}
	return sets;
}

#endif
