#include "arch/simulated/machine/sharers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/processor.h"

#define IN_TABLE   (UINT32_C(1) << 31)
#define PLACE_BITS 15 /* of a core's number plus one; a word has two of them */
#define PLACE_MASK ((1u << PLACE_BITS) - 1)
#define WORD_BITS  64
#define WORDS      (PROCESSORS_MAXIMUM / WORD_BITS)

static struct set {
	uint64_t words[WORDS];
	uint32_t next; /* if free: the next free index plus one; 0: none */
} * table;
static uint32_t length, room, first_free;

static struct set *set_of(sharers set)
{
	return &table[set & ~IN_TABLE];
}

static unsigned low(sharers set)
{
	return set & PLACE_MASK;
}

static unsigned high(sharers set)
{
	return set >> PLACE_BITS & PLACE_MASK;
}

static sharers make(void)
{
	uint32_t place = first_free - 1;
	if (first_free) {
		first_free = table[place].next;
	} else {
		if (length == room) {
			room = room ? 2 * room : 1024;
			table = realloc(table, room * sizeof(*table));
			if (!table) {
				fputs("heddle: no memory for the directory of lines\n", stderr);
				exit(EXIT_FAILURE);
			}
		}
		place = length++;
	}
	memset(&table[place], 0, sizeof(table[place]));
	return IN_TABLE | place;
}

void sharers_drop(sharers set)
{
	if (!(set & IN_TABLE))
		return;
	set_of(set)->next = first_free;
	first_free = (set & ~IN_TABLE) + 1;
}

bool sharers_have(sharers set, unsigned core)
{
	if (set & IN_TABLE)
		return set_of(set)->words[core / WORD_BITS] >> core % WORD_BITS & 1;
	return low(set) == core + 1 || high(set) == core + 1;
}

static void sharers_insert(sharers set, unsigned core)
{
	set_of(set)->words[core / WORD_BITS] |= UINT64_C(1) << core % WORD_BITS;
}

sharers sharers_with(sharers set, unsigned core)
{
	if (sharers_have(set, core))
		return set;
	if (set & IN_TABLE) {
		sharers_insert(set, core);
		return set;
	}
	if (!low(set))
		return set | (core + 1);
	if (!high(set))
		return set | (core + 1) << PLACE_BITS;
	sharers larger = make();
	sharers_insert(larger, low(set) - 1);
	sharers_insert(larger, high(set) - 1);
	sharers_insert(larger, core);
	return larger;
}

sharers sharers_without(sharers set, unsigned core)
{
	if (set & IN_TABLE) {
		set_of(set)->words[core / WORD_BITS] &= ~(UINT64_C(1) << core % WORD_BITS);
		if (sharers_next(set, 0) >= 0)
			return set;
		sharers_drop(set);
		return SHARERS_NONE;
	}
	if (low(set) == core + 1)
		return set & ~PLACE_MASK;
	return high(set) == core + 1 ? low(set) : set;
}

static int next_in_table(const struct set *set, unsigned core)
{
	unsigned word = core / WORD_BITS;
	uint64_t left = word < WORDS ? set->words[word] >> core % WORD_BITS << core % WORD_BITS : 0;
	while (word < WORDS && !left)
		left = ++word < WORDS ? set->words[word] : 0;
	return left ? (int)(word * WORD_BITS + (unsigned)__builtin_ctzll(left)) : -1;
}

int sharers_next(sharers set, unsigned core)
{
	if (set & IN_TABLE)
		return next_in_table(set_of(set), core);
	int one = (int)low(set) - 1, other = (int)high(set) - 1;
	if (one < (int)core || (other >= (int)core && other < one))
		one = other;
	return one >= (int)core ? one : -1;
}
