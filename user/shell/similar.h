/*
 * Suggestions for a mistyped word.
 */
#ifndef USER_SHELL_SIMILAR_H
#define USER_SHELL_SIMILAR_H

#include <stdbool.h>
#include <stddef.h>

#define SIMILAR_WORD_MOST 31 /* longer words resemble none */

/* How many letters to insert, delete, change or swap with their neighbour to turn one word into the other; a number
 * above `most` means more than that. */
unsigned similar_distance(const char *one, size_t one_length, const char *other, unsigned most);

/* The largest distance at which a word of this length counts as a typing error. */
unsigned similar_most(size_t length);

#endif
