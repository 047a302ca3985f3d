/*
 * The words that a parameter may have, separated by '|': "one|two|three". The value of a word is its position, from
 * 0. A parameter that names a lock may also have the name of a lock of one's own, behind them.
 */
#ifndef USER_CHOICE_H
#define USER_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/program.h"
#include "user/text.h"

/* How many words there are. */
uint64_t choice_count(const char *choices);

/* The word at a position; empty if there are fewer. */
struct piece choice_word(const char *choices, uint64_t place);

/* The same of a parameter that takes words. */
struct piece choice_of(const struct program_parameter *parameter, uint64_t place);

/* False: it is not one of the parameter's words. */
bool choice_find(const struct program_parameter *parameter, struct piece word, uint64_t *place);

/* All words of the parameter. */
void choices_add(struct text *text, const struct program_parameter *parameter);

#endif
