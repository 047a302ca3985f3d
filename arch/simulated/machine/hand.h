/*
 * Which lines are at hand for which processor, so that accessing them costs nothing (registers.asm): one table of lines
 * that may be read, one of those that may be written. A slot holds one line of one processor; the directory knows about
 * the lines for which there was no slot.
 */
#ifndef MACHINE_HAND_H
#define MACHINE_HAND_H

#include "arch/simulated/machine/virtual_processor.h"

extern uint64_t machine_readable[REGISTER_HAND_LENGTH], machine_writable[REGISTER_HAND_LENGTH];
extern uint64_t machine_key; /* hand_key() of the running processor */

/* Consecutive lines of a processor have consecutive slots; the lines of two processors begin far apart. */
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
