/*
 * Where checks go, so that no path between two of them is longer than the bound, even through calls and returns.
 *
 * Functions are compiled one by one, by a convention (convention.h). Of functions that were compiled before in this
 * unit the true lengths are known instead, so a function that calls only such ones may need no check.
 */
#ifndef PLUGIN_PLACEMENT_H
#define PLUGIN_PLACEMENT_H

#include "flow.h"

struct distances {
	unsigned longest; /* the longest path between two checks, or from the entry to the first one */
	ways_through ways;
};

/* All checks of a function whose cycles are broken. */
distances checks_place(flow &flow);

#endif
