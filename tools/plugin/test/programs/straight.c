/* Long code without a loop. */
#include "driver.h"

#define STATEMENT(n)          \
	a += b * (n) + c;         \
	b ^= a >> ((n) % 23 + 1); \
	c = c * 5 + (n);          \
	d[(n) % 8] += a ^ c;
#define TEN(n)       \
	STATEMENT(n)     \
	STATEMENT(n + 1) \
	STATEMENT(n + 2) \
	STATEMENT(n + 3) \
	STATEMENT(n + 4) STATEMENT(n + 5) STATEMENT(n + 6) STATEMENT(n + 7) STATEMENT(n + 8) STATEMENT(n + 9)
#define HUNDRED(n) \
	TEN(n)         \
	TEN(n + 10)    \
	TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)

static uint64_t fold(const uint64_t *words, uint64_t sum)
{
	for (int i = 0; i < 8; i++)
		sum = mix(sum, words[i]);
	return sum;
}

TEST(straight_line)
{
	uint64_t a = seed, b = 3, c = 7, d[8] = {seed};
	HUNDRED(0)
	HUNDRED(100)
	HUNDRED(200)
	return fold(d, a ^ b ^ c);
}

/* A loop whose body alone is longer than the bound. */
TEST(straight_line_in_a_loop)
{
	uint64_t a = seed, b = 5, c = 9, d[8] = {1};
	for (uint64_t i = 0; i < hidden(6); i++) {
		HUNDRED(0)
		if (a % 3 == 0)
			continue;
		HUNDRED(100)
	}
	return fold(d, a ^ b ^ c);
}

/* Branches of very different length. */
static NOINLINE uint64_t branches(uint64_t a, uint64_t way)
{
	uint64_t b = 5, c = 9, d[8] = {way};
	if (way & 1) {
		HUNDRED(0)
		if (way & 2) {
			TEN(5)
		}
	} else if (way & 2) {
		STATEMENT(1)
	} else {
		TEN(0)
		TEN(50)
	}
	switch (way & 12) {
	case 0:
		HUNDRED(3)
		break;
	case 4:
		STATEMENT(9)
		__attribute__((fallthrough));
	case 8:
		TEN(8)
	}
	return fold(d, a ^ b ^ c);
}

TEST(straight_branches)
{
	uint64_t sum = seed;
	for (uint64_t way = 0; way < hidden(16); way++)
		sum = branches(sum, way);
	return sum;
}

/* Calls of small functions one after another: what they run counts too. */
static NOINLINE uint64_t small(uint64_t value)
{
	return value * 3 + 1;
}

#define CALLS(n) sum = small(sum) ^ (small(sum + (n)) + small(n));
#define TEN_CALLS(n) \
	CALLS(n)         \
	CALLS(n + 1)     \
	CALLS(n + 2) CALLS(n + 3) CALLS(n + 4) CALLS(n + 5) CALLS(n + 6) CALLS(n + 7) CALLS(n + 8) CALLS(n + 9)

TEST(straight_calls)
{
	uint64_t sum = seed;
	TEN_CALLS(0)
	TEN_CALLS(10)
	TEN_CALLS(20)
	TEN_CALLS(30)
	TEN_CALLS(40)
	TEN_CALLS(50)
	return sum;
}

/* Floating point numbers, more than registers, in a straight line. */
#define REAL(n)        \
	x = y * 0.5 + (n); \
	y = z - x * 0.25;  \
	z = w + y * 0.125; \
	w = x - z * 0.0625;
#define TEN_REALS(n) \
	REAL(n)          \
	REAL(n + 1)      \
	REAL(n + 2) REAL(n + 3) REAL(n + 4) REAL(n + 5) REAL(n + 6) REAL(n + 7) REAL(n + 8) REAL(n + 9)

TEST(straight_reals)
{
	double x = (double)seed, y = 1, z = 2, w = 3;
	TEN_REALS(0)
	TEN_REALS(10)
	TEN_REALS(20)
	TEN_REALS(30)
	TEN_REALS(40)
	return (uint64_t)(int64_t)((x + y * 2 + z * 3 + w * 4) * 4096);
}
