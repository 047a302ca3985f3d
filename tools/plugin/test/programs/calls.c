/* Calls: recursion of every kind, calls at a function's end, pointers, variable arguments, and what lies in
 * frames. */
#include "driver.h"

#include <alloca.h>
#include <stdarg.h>

static NOINLINE uint64_t fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

TEST(call_recursion)
{
	return fibonacci(11 + (unsigned)seed);
}

static NOINLINE uint64_t depth(uint64_t n, uint64_t hash)
{
	uint64_t deeper = n ? depth(n - 1, mix(hash, n)) : hash;
	return mix(deeper, n);
}

TEST(call_deep_recursion)
{
	return depth(300 + seed, seed);
}

static NOINLINE uint64_t ackermann(uint64_t m, uint64_t n)
{
	if (m == 0)
		return n + 1;
	return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

TEST(call_ackermann)
{
	return ackermann(2, 6 + seed);
}

static uint64_t odd(uint64_t n, uint64_t hash);
static NOINLINE uint64_t even(uint64_t n, uint64_t hash)
{
	return n == 0 ? hash : mix(odd(n - 1, hash + 1), n);
}

static NOINLINE uint64_t odd(uint64_t n, uint64_t hash)
{
	return n == 0 ? ~hash : mix(even(n - 1, hash + 2), n);
}

TEST(call_mutual_recursion)
{
	return even(101 + seed, seed);
}

/* Calls at the end, which the optimizer makes jumps: to the function itself, to each other, through a
 * pointer. */
static NOINLINE uint64_t tail_self(uint64_t n, uint64_t hash)
{
	return n == 0 ? hash : tail_self(n - 1, mix(hash, n));
}

static uint64_t tail_pong(uint64_t n, uint64_t hash);
static NOINLINE uint64_t tail_ping(uint64_t n, uint64_t hash)
{
	return n == 0 ? hash : tail_pong(n - 1, hash * 3);
}

static NOINLINE uint64_t tail_pong(uint64_t n, uint64_t hash)
{
	return n == 0 ? ~hash : tail_ping(n - 1, hash ^ n);
}

struct step {
	uint64_t (*run)(const struct step *step, uint64_t hash);
	uint64_t value;
};

static NOINLINE uint64_t step_end(const struct step *step, uint64_t hash)
{
	return mix(hash, step->value);
}

static NOINLINE uint64_t step_on(const struct step *step, uint64_t hash)
{
	return step[1].run(step + 1, mix(hash, step->value));
}

TEST(call_at_the_end)
{
	struct step steps[60];
	for (uint64_t i = 0; i < 60; i++)
		steps[i] = (struct step){i == 59 ? step_end : step_on, i * seed};
	return tail_self(200, seed) + tail_ping(301 + seed, seed) + steps[0].run(steps, seed);
}

/* Leaves only, called in a loop. */
static NOINLINE uint64_t leaf(uint64_t a, uint64_t b)
{
	return (a ^ b) + (a >> 5);
}

static NOINLINE uint64_t leaf_caller(uint64_t a, uint64_t b)
{
	return leaf(b, a);
}

TEST(call_leaves)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(200); i++)
		sum = leaf_caller(leaf(sum, i), i * 3);
	return sum;
}

static uint64_t twice(uint64_t value)
{
	return value * 2;
}

static uint64_t inverse(uint64_t value)
{
	return ~value;
}

static uint64_t square(uint64_t value)
{
	return value * value + 1;
}

static NOINLINE uint64_t apply(uint64_t (*function)(uint64_t), uint64_t times, uint64_t value)
{
	while (times--)
		value = function(value);
	return value;
}

TEST(call_pointers)
{
	uint64_t (*const functions[])(uint64_t) = {twice, inverse, square};
	uint64_t sum = seed + 1;
	for (uint64_t i = 0; i < hidden(90); i++)
		sum = mix(apply(functions[(sum ^ i) % 3], sum % 5, sum), i);
	return sum;
}

/* Integers, floating point numbers (al counts them at the call) and a structure, in registers and on the
 * stack. */
static NOINLINE uint64_t variable(int count, ...)
{
	va_list list, copy;
	uint64_t sum = 0;
	double real = 0;
	va_start(list, count);
	va_copy(copy, list);
	for (int i = 0; i < count; i++) {
		sum = mix(sum, va_arg(list, uint64_t));
		real += va_arg(list, double) * (i + 1);
	}
	for (int i = 0; i < count; i++) {
		sum += va_arg(copy, uint64_t);
		real -= va_arg(copy, double);
	}
	va_end(copy);
	va_end(list);
	return mix(sum, (uint64_t)(real * 16));
}

TEST(call_variable_arguments)
{
	uint64_t sum = variable(1, seed, 1.5);
	sum += variable(4, seed, 1.0, seed + 1, 2.0, seed + 2, 3.25, UINT64_C(9), 4.5);
	sum += variable(10, seed, 1.0, sum, 2.0, sum + 1, 3.0, sum + 2, 4.0, sum + 3, 5.0, sum + 4, 6.0, sum + 5,
	                7.0, sum + 6, 8.0, sum + 7, 9.0, sum + 8, 10.0);
	return sum + variable(0);
}

struct large {
	uint64_t words[9];
};
struct pair {
	uint64_t a;
	double b;
};
struct small {
	int32_t a;
	int8_t b, c;
};

static NOINLINE struct large large_next(struct large value, uint64_t seed)
{
	for (int i = 0; i < 9; i++)
		value.words[i] = mix(value.words[(i + 1) % 9], seed);
	return value;
}

static NOINLINE struct pair pair_next(struct pair value, struct small other)
{
	return (struct pair){value.a * 3 + (uint64_t)other.a, value.b / 2 + other.b};
}

static NOINLINE struct small small_next(struct small value, struct pair other)
{
	return (struct small){value.a + (int32_t)(other.a & 0xffff), (int8_t)(value.c + 1),
	                      (int8_t)(value.b ^ 3)};
}

TEST(call_structures)
{
	struct large large = {{seed, 1, 2, 3, 4, 5, 6, 7, 8}};
	struct pair pair = {seed, 3.5};
	struct small small = {(int32_t)seed, 1, 2};
	for (uint64_t i = 0; i < hidden(60); i++) {
		large = large_next(large, i);
		pair = pair_next(pair, small);
		small = small_next(small, pair);
	}
	return large.words[4] ^ pair.a ^ (uint64_t)(pair.b * 256) ^ (uint64_t)(small.a + small.b * 3 + small.c);
}

/* Fourteen arguments: six in registers, eight in floating point registers, the rest on the stack. */
static NOINLINE double many(uint64_t a, double b, uint64_t c, double d, uint64_t e, double f, uint64_t g,
                            double h, uint64_t i, double j, uint64_t k, double l, uint64_t m, double n)
{
	if (a == 0)
		return b + 2 * d + 3 * f + 4 * h + 5 * j + 6 * l + 7 * n;
	return many(a - 1, d, e, f, g, h, i, j, k, l, m, n, c, b) +
	       (double)((c + e * 2 + g * 3 + i * 4 + k * 5 + m) % 64);
}

TEST(call_many_arguments)
{
	return (uint64_t)many(40 + seed, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
}

/* Long code behind a call, then one at the end of which nothing is known here but that it returns; each level
 * adds its own. */
__attribute__((weak)) NOINLINE uint64_t unknown_leaf(uint64_t value)
{
	return value + 1;
}

#define STEP  value = value * 3 + other, other = (other ^ value) + 7;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP

static NOINLINE uint64_t returns_late(uint64_t depth, uint64_t value)
{
	uint64_t other = depth;
	if (depth)
		other += returns_late(depth - 1, value + 1);
	STEPS return unknown_leaf(value ^ other);
}

TEST(call_at_the_end_of_long_code)
{
	return returns_late(40, seed);
}
