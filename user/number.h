/*
 * Numbers as people write them: decimal digits and at most one suffix, k (thousand), M (million) or G
 * (billion), powers of ten: 10k is 10000.
 */
#ifndef USER_NUMBER_H
#define USER_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is allowed, as the end of a sentence. */
#define NUMBER_SYNTAX \
	"a number is decimal digits, then k, M or G for thousands, millions or billions if you like: 10k"

/* False: no number, or above UINT64_MAX. */
bool number_parse(const char *piece, size_t length, uint64_t *value);

#endif
