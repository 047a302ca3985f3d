/* Functions that must not be interrupted: they have no checks, and count in the block while they call
 * anything. */
#include "driver.h"

#include "harness.h"

#ifdef __HEDDLE_PLUGIN__
#	define UNCOOPERATIVE __attribute__((heddle_uncooperative))
#	define DEPTH(count)  (count)
#else
#	define UNCOOPERATIVE
#	define DEPTH(count) 0
#endif

#define WRONG UINT64_C(0xbadbadbadbad)

static volatile const uint64_t *const checks = &harness_checks;

/* Not to be inlined, though nothing else says so. */
UNCOOPERATIVE static uint64_t quiet(uint64_t sum, uint64_t count)
{
	uint64_t before = *checks;
	for (uint64_t i = 0; i < count; i++)
		sum = mix(sum, i);
	return *checks == before ? sum : WRONG;
}

/* Calls nothing: only its checks are missing. */
UNCOOPERATIVE static uint64_t quieter(uint64_t sum, uint64_t count)
{
	uint64_t before = *checks;
	while (count--)
		sum = sum * 3 + count;
	return *checks == before ? sum : WRONG;
}

TEST_OF_KIND(uncooperative_leaf, TEST_OPAQUE)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < 20; i++)
		sum = mix(quiet(sum, 500 + i), quieter(i, 400));
	return sum;
}

static NOINLINE uint32_t depth_now(void)
{
	return harness_block.uncooperative;
}

/* Returns from several places, and from inside a loop. */
UNCOOPERATIVE static NOINLINE uint64_t guarded(uint64_t value)
{
	if (depth_now() != DEPTH(1))
		return WRONG;
	for (uint64_t i = 0; i < value % 7; i++) {
		if (value % 5 == i)
			return mix(value, depth_now() - DEPTH(1));
		value = mix(value, i);
	}
	if (value & 1)
		return value;
	goto end;
end:
	return ~value;
}

UNCOOPERATIVE static NOINLINE uint64_t nested(uint64_t value, unsigned depth)
{
	if (depth_now() != DEPTH(depth))
		return WRONG;
	return depth == 6 ? value : mix(nested(value + 1, depth + 1), depth_now() - DEPTH(depth));
}

/* Structures, floating point numbers and no value at all come out of the region as they were. */
struct three {
	uint64_t a, b, c;
};

UNCOOPERATIVE static NOINLINE struct three made(uint64_t value)
{
	return (struct three){value, depth_now() - DEPTH(1), value * 3};
}

UNCOOPERATIVE static NOINLINE double halved(double value)
{
	return depth_now() == DEPTH(1) ? value / 2 : 0;
}

UNCOOPERATIVE static NOINLINE void stored(uint64_t *value)
{
	if (depth_now() == DEPTH(1))
		*value += 5;
}

TEST_OF_KIND(uncooperative_calls, TEST_OPAQUE)
{
	uint64_t sum = seed;
	double real = 1e6;
	for (uint64_t i = 0; i < 40; i++) {
		struct three three = made(sum);
		sum = guarded(three.a + i) + three.b + three.c + nested(i, 1);
		real = halved(real) + 100;
		stored(&sum);
		if (depth_now() != 0)
			return WRONG;
	}
	return sum + (uint64_t)real;
}

/* A tail call must not leave the region before its callee is done. */
UNCOOPERATIVE static NOINLINE uint64_t passed_on(uint64_t value)
{
	return depth_now() + value;
}

TEST_OF_KIND(uncooperative_tail, TEST_OPAQUE)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < 20; i++)
		sum = mix(sum, passed_on(i) - DEPTH(1)) + harness_block.uncooperative;
	return sum;
}
