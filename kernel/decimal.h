/*
 * The decimal digits of a double for %f, %e and %g, rounded to the nearest, in doubt to the even one.
 * Computed with integers only, since the value is exactly a mantissa times a power of two.
 */
#ifndef KERNEL_DECIMAL_H
#define KERNEL_DECIMAL_H

#include <stdint.h>

#define DECIMAL_PLACES_MAXIMUM 40  /* the most digits behind the point, or behind the first digit */
#define DECIMAL_WHOLE_MAXIMUM  309 /* digits of the largest double before the point */

/* Each digit from 0 to 9: digits[0] stands for 10^exponent and is not 0, unless the value is. */
struct decimal {
	unsigned char digits[DECIMAL_WHOLE_MAXIMUM + DECIMAL_PLACES_MAXIMUM + 1];
	int count;
	int exponent;
};

/* The magnitude of a finite double, whose representation is `bits`, with `places` digits behind the point, or behind
 * the first digit. */
void decimal_behind_point(struct decimal *decimal, uint64_t bits, int places);
void decimal_behind_first(struct decimal *decimal, uint64_t bits, int places);

/* The digit that stands for 10^exponent. */
static inline unsigned decimal_digit(const struct decimal *decimal, int exponent)
{
	int place = decimal->exponent - exponent;
	return place >= 0 && place < decimal->count ? decimal->digits[place] : 0;
}

#endif
