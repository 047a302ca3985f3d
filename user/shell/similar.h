/*
 * What somebody may have meant who typed another word.
 */
#ifndef USER_SHELL_SIMILAR_H
#define USER_SHELL_SIMILAR_H

#include <stdbool.h>
#include <stddef.h>

#define SIMILAR_WORD_MOST 31 /* longer words are like none */

/* How many letters are to be put in, left out, exchanged with their neighbour or changed, until one word is the other;
 * above `most`: more than that. */
unsigned similar_distance(const char *one, size_t one_length, const char *other, unsigned most);

/* At most so many for a word of this length, to take it for a slip. */
unsigned similar_most(size_t length);

#endif
