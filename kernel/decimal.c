#include "kernel/decimal.h"

#include <stdbool.h>

#define MANTISSA_BITS  52
#define EXPONENT_BIAS  1075 /* of a mantissa taken as an integer */
#define FRACTION_WORDS 34   /* the smallest double is 2^-1074 */
#define BILLIONS       35   /* the largest has 309 digits */
#define BILLION        1000000000
#define SHIFT_AT_ONCE  29 /* a billion and a carry, shifted so far, fit into 64 bits */

struct parts {
	uint32_t whole[BILLIONS]; /* in base 10^9, lowest first */
	unsigned count;
	uint32_t fraction[FRACTION_WORDS]; /* in base 2^32, highest first */
};

static void whole_set(struct parts *parts, uint64_t whole)
{
	for (parts->count = 0; whole; whole /= BILLION)
		parts->whole[parts->count++] = (uint32_t)(whole % BILLION);
}

static void whole_shift(struct parts *parts, unsigned bits)
{
	uint64_t carry = 0;
	for (unsigned i = 0; i < parts->count; i++) {
		uint64_t word = ((uint64_t)parts->whole[i] << bits) + carry;
		parts->whole[i] = (uint32_t)(word % BILLION);
		carry = word / BILLION;
	}
	if (carry)
		parts->whole[parts->count++] = (uint32_t)carry;
}

/* floor(mantissa * 2^shift), its lowest 32 bits. */
static uint32_t shifted(uint64_t mantissa, int shift)
{
	if (shift >= 32 || shift <= -64)
		return 0;
	return (uint32_t)(shift >= 0 ? mantissa << shift : mantissa >> -shift);
}

static void parts_of(struct parts *parts, uint64_t bits)
{
	int exponent = (int)(bits >> MANTISSA_BITS & 0x7ff);
	uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
	if (exponent > 0)
		mantissa |= UINT64_C(1) << MANTISSA_BITS;
	else
		exponent = 1;
	exponent -= EXPONENT_BIAS;
	whole_set(parts, exponent >= 0 ? mantissa : exponent > -64 ? mantissa >> -exponent : 0);
	for (int left = exponent; left > 0; left -= SHIFT_AT_ONCE)
		whole_shift(parts, (unsigned)(left < SHIFT_AT_ONCE ? left : SHIFT_AT_ONCE));
	for (int i = 0; i < FRACTION_WORDS; i++)
		parts->fraction[i] = exponent < 0 ? shifted(mantissa, exponent + 32 * (i + 1)) : 0;
}

static unsigned next_fraction_digit(struct parts *parts)
{
	uint64_t carry = 0;
	for (int i = FRACTION_WORDS - 1; i >= 0; i--) {
		carry += (uint64_t)parts->fraction[i] * 10;
		parts->fraction[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return (unsigned)carry;
}

static bool fraction_is_zero(const struct parts *parts)
{
	for (int i = 0; i < FRACTION_WORDS; i++)
		if (parts->fraction[i])
			return false;
	return true;
}

/* All digits before the point; the value has some. */
static void put_whole(struct decimal *decimal, const struct parts *parts)
{
	for (unsigned i = parts->count; i-- > 0;)
		for (unsigned power = BILLION / 10; power > 0; power /= 10) {
			unsigned digit = parts->whole[i] / power % 10;
			if (decimal->count > 0 || digit > 0)
				decimal->digits[decimal->count++] = (unsigned char)digit;
		}
	decimal->exponent = decimal->count - 1;
}

/* The first digit behind the point that is not 0; the value is not 0. */
static void put_first(struct decimal *decimal, struct parts *parts)
{
	unsigned digit;
	decimal->exponent = 0;
	do {
		digit = next_fraction_digit(parts);
		decimal->exponent--;
	} while (digit == 0);
	decimal->digits[decimal->count++] = (unsigned char)digit;
}

/* Add one in the last place; if all digits were 9, there is one more afterwards. */
static void increment(struct decimal *decimal)
{
	int place = decimal->count - 1;
	while (place >= 0 && decimal->digits[place] == 9)
		decimal->digits[place--] = 0;
	if (place >= 0) {
		decimal->digits[place]++;
		return;
	}
	decimal->digits[0] = 1; /* the others are 0 */
	decimal->exponent++;
	if (decimal->count == 0)
		decimal->count = 1;
}

/* Bring the decimal to `wanted` digits. */
static void finish(struct decimal *decimal, struct parts *parts, int wanted)
{
	if (wanted < 0) {
		decimal->count = 0;
		return;
	}
	while (decimal->count < wanted)
		decimal->digits[decimal->count++] = (unsigned char)next_fraction_digit(parts);
	unsigned next = decimal->count > wanted ? decimal->digits[wanted] : next_fraction_digit(parts);
	bool more = !fraction_is_zero(parts);
	for (int i = wanted + 1; i < decimal->count; i++)
		more = more || decimal->digits[i];
	bool odd = wanted > 0 && decimal->digits[wanted - 1] % 2;
	decimal->count = wanted;
	if (next > 5 || (next == 5 && (more || odd)))
		increment(decimal);
}

static void convert(struct decimal *decimal, uint64_t bits, int places, bool behind_point)
{
	struct parts parts;
	parts_of(&parts, bits);
	decimal->count = decimal->exponent = 0;
	if (parts.count > 0)
		put_whole(decimal, &parts);
	else if (!fraction_is_zero(&parts))
		put_first(decimal, &parts);
	else
		return;
	finish(decimal, &parts, behind_point ? decimal->exponent + 1 + places : 1 + places);
}

void decimal_behind_point(struct decimal *decimal, uint64_t bits, int places)
{
	convert(decimal, bits, places, true);
}

void decimal_behind_first(struct decimal *decimal, uint64_t bits, int places)
{
	convert(decimal, bits, places, false);
}
