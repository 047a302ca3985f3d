/*
 * The set of cores that have a line. Most sets have one or two members, which lie in the word itself. Larger sets are
 * bit sets in a table, and the word is the index.
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

/* The lowest member at or above `core`; -1: there is none. */
int sharers_next(sharers set, unsigned core);

/* Whether the set has a member in [first, first + count). */
static inline bool sharers_any(sharers set, unsigned first, unsigned count)
{
	int next = sharers_next(set, first);
	return next >= 0 && (unsigned)next < first + count;
}

/* Free the set's entry in the table. */
void sharers_drop(sharers set);

#endif
