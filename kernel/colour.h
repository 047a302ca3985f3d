/*
 * Colours: objects that all begin at multiples of COLOUR_SPAN share few sets of the first-level cache, each with room
 * for some 8 lines (switching paper, section 2.3). So each begins some lines further on, depending on its number.
 */
#ifndef KERNEL_COLOUR_H
#define KERNEL_COLOUR_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"

#define COLOUR_SPAN 4096 /* addresses this far apart share a set */

/* The offset in bytes of one of `colours` colours; that of the first is 0. Multiples of the golden ratio lie far apart,
 * for any number of colours. */
static inline size_t colour_offset(uint32_t number, uint64_t colours)
{
	uint64_t spread = (uint32_t)(number * UINT32_C(0x9e3779b1));
	return (size_t)(spread * colours >> 32) * CACHE_LINE;
}

#endif
