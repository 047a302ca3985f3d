/*
 * Which lines are at hand for which processor, so that an access to them is over at once (registers.asm): two tables,
 * of those that may be read, and written. A place has one line of one processor; what it does not hold is found in
 * the directory.
 */
#ifndef MACHINE_HAND_H
#define MACHINE_HAND_H

#include "arch/simulated/machine/virtual_processor.h"

extern uint64_t machine_readable[REGISTER_HAND_LENGTH], machine_writable[REGISTER_HAND_LENGTH];
extern uint64_t machine_key; /* that of the processor that runs */

/* Neighbours in the table are lines of one processor; the lines of two processors begin far apart. */
static inline uint64_t hand_key(unsigned index)
{
	return ((uint64_t)index << 44) + index * UINT64_C(0x9e35);
}

static inline void hand_give(const struct virtual_processor *processor, uint64_t line, bool writes)
{
	uint64_t entry = line + processor->key, place = entry % REGISTER_HAND_LENGTH;
	machine_readable[place] = entry;
	if (writes)
		machine_writable[place] = entry;
}

static inline void hand_take(const struct virtual_processor *processor, uint64_t line, bool reads_still)
{
	uint64_t entry = line + processor->key, place = entry % REGISTER_HAND_LENGTH;
	if (machine_writable[place] == entry)
		machine_writable[place] = 0;
	if (!reads_still && machine_readable[place] == entry)
		machine_readable[place] = 0;
}

#endif
