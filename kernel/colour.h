/*
 * Colours: what begins at multiples of COLOUR_SPAN would share few sets of the first-level cache, of which each has
 * room for 8 lines or so (switching paper, section 2.3). So each begins some lines further on, by its number.
 */
#ifndef KERNEL_COLOUR_H
#define KERNEL_COLOUR_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"

#define COLOUR_SPAN 4096 /* so far apart, two addresses share a set */

/* How many bytes further, of so many colours: the first is 0. Multiples of the golden ratio lie far apart, however many
 * of them there are. */
static inline size_t colour_offset(uint32_t number, uint64_t colours)
{
	uint64_t spread = (uint32_t)(number * UINT32_C(0x9e3779b1));
	return (size_t)(spread * colours >> 32) * CACHE_LINE;
}

#endif
