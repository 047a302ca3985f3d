#include "user/number.h"

/* The factor for a suffix; 0: it is no suffix. */
static uint64_t suffix_factor(char suffix)
{
	switch (suffix) {
	case 'k':
		return 1000;
	case 'M':
		return 1000000;
	case 'G':
		return 1000000000;
	default:
		return 0;
	}
}

bool number_parse(const char *piece, size_t length, uint64_t *value)
{
	uint64_t factor = length > 1 ? suffix_factor(piece[length - 1]) : 0;
	uint64_t number = 0;
	if (factor)
		length--;
	if (!length)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (piece[i] < '0' || piece[i] > '9')
			return false;
		uint64_t digit = (uint64_t)(piece[i] - '0');
		if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, digit, &number))
			return false;
	}
	if (factor && __builtin_mul_overflow(number, factor, &number))
		return false;
	*value = number;
	return true;
}
