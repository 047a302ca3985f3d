/*
 * Heddle's formatting of numbers with a point beside the C library's: the same text for each of many doubles. Ends with
 * status 0 if all are the same.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/format.h"

static const char *const formats[] = {"%f",    "%e",    "%g",    "%.0f",   "%.0e",     "%.0g",
                                      "%.17g", "%.17e", "%.3f",  "%10.2f", "%-12.4e|", "%012.3f",
                                      "%020g", "%.40f", "%.40e", "%.40g",  "%.1f",     "%.2f"};
static const double edges[] = {0.0,       -0.0,       0.5,       1.5,       2.5,    0.05,
                               9.9999995, 0.00099995, 0x1p-1074, 0x1p-1022, 0x1p63, 1e22};

static uint64_t random_next(void)
{
	static uint64_t state = 88172645463325252;
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Any representation; one near 1; a decimal fraction, which is often halfway between two others. */
static double value_of(unsigned long number)
{
	static const double divisors[] = {1, 2, 4, 8, 10, 100, 1000, 100000};
	uint64_t bits = random_next();
	double value;
	if (number < sizeof(edges) / sizeof(edges[0]))
		return edges[number];
	if (number % 3 == 0)
		return (double)((int64_t)(bits % 2000001) - 1000000) / divisors[number / 3 % 8];
	if (number % 3 == 1)
		bits = (bits & UINT64_C(0x800fffffffffffff)) | (1023 - 40 + (bits >> 33) % 80) << 52;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

int main(int count, char **arguments)
{
	unsigned long numbers = count > 1 ? strtoul(arguments[1], NULL, 10) : 0, wrong = 0;
	for (unsigned long number = 0; number < numbers; number++) {
		double value = value_of(number);
		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
			char ours[500], theirs[500];
			size_t length = format_text(ours, sizeof(ours), formats[i], value);
			int expected = snprintf(theirs, sizeof(theirs), formats[i], value);
			if (length == (size_t)expected && strcmp(ours, theirs) == 0)
				continue;
			wrong++;
			printf("%s of %a: %s, not %s\n", formats[i], value, theirs, ours);
		}
	}
	printf("%lu numbers, %lu texts differ\n", numbers, wrong);
	return wrong > 0 || numbers == 0;
}
