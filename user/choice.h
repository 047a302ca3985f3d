/*
 * The words that a parameter may have, separated by '|': "one|two|three". The value of a word is its position, from
 * 0.
 */
#ifndef USER_CHOICE_H
#define USER_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "user/text.h"

/* False: it is not one of the words. */
bool choice_find(const char *choices, struct piece word, uint64_t *place);

/* The word at a position; empty if there are fewer. */
struct piece choice_word(const char *choices, uint64_t place);

#endif
