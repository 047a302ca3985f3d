/*
 * The words that a parameter may be, one after the other with '|' between: "one|two|three". The value of each
 * is its place, from 0 on.
 */
#ifndef USER_CHOICE_H
#define USER_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "user/text.h"

/* False: the word is none of them. */
bool choice_find(const char *choices, struct piece word, uint64_t *place);

/* The word at a place; empty if there are not so many. */
struct piece choice_word(const char *choices, uint64_t place);

#endif
