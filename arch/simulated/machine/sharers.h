/*
 * The cores that have a line: a set of numbers, of which most have one or two. These lie in the word itself; larger
 * ones are sets of bits in a table, and the word says which.
 */
#ifndef MACHINE_SHARERS_H
#define MACHINE_SHARERS_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t sharers;

#define SHARERS_NONE ((sharers)0)

bool sharers_have(sharers set, unsigned core);
sharers sharers_with(sharers set, unsigned core);
sharers sharers_without(sharers set, unsigned core);

/* The lowest one at or above `core`; -1: there is none. */
int sharers_next(sharers set, unsigned core);

/* Any in [first, first + count). */
static inline bool sharers_any(sharers set, unsigned first, unsigned count)
{
	int next = sharers_next(set, first);
	return next >= 0 && (unsigned)next < first + count;
}

/* Give a set's place in the table back. */
void sharers_drop(sharers set);

#endif
