/*
 * Suggestions for a mistyped word.
 */
#ifndef KERNEL_SIMILAR_H
#define KERNEL_SIMILAR_H

#include <stdbool.h>
#include <stddef.h>

#define SIMILAR_WORD_MOST 31 /* longer words resemble none */

/* How many letters to insert, delete, change or swap with their neighbour to turn one word into the other.
 * SIMILAR_WORD_MOST + 1: one of them is too long. */
unsigned similar_distance(const char *one, size_t one_length, const char *other, size_t other_length);

/* The largest distance at which a word of this length counts as a typing error. */
unsigned similar_most(size_t length);

/* A search for the name that is nearest to a word. */
struct similar {
	const char *word;
	size_t length;
	unsigned distance;   /* of the nearest name; before the first one, more than a typing error */
	const char *nearest; /* without a terminating 0; NULL: no name is near enough */
	size_t nearest_length;
};

void similar_start(struct similar *search, const char *word, size_t length);
void similar_consider(struct similar *search, const char *name, size_t length);

#endif
