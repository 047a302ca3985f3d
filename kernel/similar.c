#include "kernel/similar.h"

#include "arch/arch.h"

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned similar_most(size_t length)
{
	return length < 3 ? 0 : length < 6 ? 1 : 2;
}

/* The optimal string alignment distance, row by row; only the last three rows are kept. */
unsigned similar_distance(const char *one, size_t one_length, const char *other, size_t other_length)
{
	unsigned rows[3][SIMILAR_WORD_MOST + 1];
	if (one_length > SIMILAR_WORD_MOST || other_length > SIMILAR_WORD_MOST)
		return SIMILAR_WORD_MOST + 1;
	for (unsigned column = 0; column <= other_length; column++)
		rows[0][column] = column;
	for (unsigned row = 1; row <= one_length; row++) {
		unsigned *now = rows[row % 3], *before = rows[(row + 2) % 3], *before_that = rows[(row + 1) % 3];
		now[0] = row;
		for (unsigned column = 1; column <= other_length; column++) {
			bool same = one[row - 1] == other[column - 1];
			now[column] = least(least(before[column] + 1, now[column - 1] + 1), before[column - 1] + !same);
			if (row > 1 && column > 1 && one[row - 1] == other[column - 2] &&
			    one[row - 2] == other[column - 1])
				now[column] = least(now[column], before_that[column - 2] + 1);
		}
	}
	return rows[one_length % 3][other_length];
}

void similar_start(struct similar *search, const char *word, size_t length)
{
	*search = (struct similar){.word = word, .length = length, .distance = similar_most(length) + 1};
}

STACK_ENTRY(similar_consider)
void similar_consider(struct similar *search, const char *name, size_t length)
{
	unsigned distance = similar_distance(search->word, search->length, name, length);
	if (distance >= search->distance)
		return;
	search->distance = distance;
	search->nearest = name;
	search->nearest_length = length;
}
