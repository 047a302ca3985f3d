/* Functions that come back in another way: twice, not at all, without a frame that the compiler made. */
#include "driver.h"

#include <setjmp.h>

TEST(return_long_jump)
{
	jmp_buf place;
	volatile uint64_t rounds = 0, sum = seed;
	int value = setjmp(place);
	sum = mix(sum, (uint64_t)value);
	rounds++;
	for (uint64_t i = 0; i < hidden(10); i++)
		sum = mix(sum, i);
	if (rounds < 12)
		longjmp(place, (int)(rounds * 5));
	return sum;
}

static NOINLINE void climb(jmp_buf *place, uint64_t n, volatile uint64_t *sum)
{
	*sum = mix(*sum, n);
	if (n == 0)
		longjmp(*place, 3);
	climb(place, n - 1, sum);
	*sum += 1000;
}

TEST(return_out_of_recursion)
{
	jmp_buf place;
	volatile uint64_t sum = seed;
	for (volatile uint64_t i = 0; i < 10; i++) {
		if (setjmp(place) == 0)
			climb(&place, 5 + i, &sum);
		else
			sum = mix(sum, 77);
	}
	return sum;
}

/* The compiler's own form, which saves less. */
static NOINLINE void leave(void **place)
{
	__builtin_longjmp(place, 1);
}

static NOINLINE uint64_t builtin_jump(uint64_t seed)
{
	void *place[5];
	volatile uint64_t rounds = 0, sum = seed;
	if (__builtin_setjmp(place))
		sum = mix(sum, 4);
	for (uint64_t i = 0; i < hidden(6); i++)
		sum = mix(sum, i);
	if (++rounds < 9)
		leave(place);
	return sum;
}

TEST(return_builtin_jump)
{
	return builtin_jump(seed) + builtin_jump(seed + 4);
}

/* Keeps the callee-saved registers busy, so that a jump has something to restore. */
TEST(return_with_values)
{
	jmp_buf place;
	uint64_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3;
	volatile int round = 0;
	for (uint64_t i = 0; i < hidden(20); i++) {
		a = mix(a, b);
		b = mix(b, c);
		c = mix(c, d);
		d = mix(d, a);
	}
	if (setjmp(place) < 8)
		longjmp(place, ++round);
	for (uint64_t i = 0; i < hidden(20); i++)
		a = mix(a, b + c + d);
	return a ^ b ^ c ^ d;
}

struct result {
	jmp_buf place;
	uint64_t value;
};

__attribute__((noreturn)) static NOINLINE void finish(struct result *result, uint64_t value)
{
	for (uint64_t i = 0; i < hidden(8); i++)
		value = mix(value, i);
	result->value = value;
	longjmp(result->place, 1);
}

static NOINLINE uint64_t decide(struct result *result, uint64_t seed)
{
	for (;;) {
		seed = mix(seed, 1);
		if (seed % 17 == 3)
			finish(result, seed);
	}
}

TEST(return_never)
{
	struct result result;
	volatile uint64_t sum = 0;
	for (volatile uint64_t i = 0; i < 10; i++)
		if (setjmp(result.place) == 0)
			decide(&result, seed + i);
		else
			sum += result.value;
	return sum;
}

/* All of it is assembly: the plugin must leave it alone. */
__attribute__((naked)) static NOINLINE uint64_t naked_sum(uint64_t a, uint64_t b)
{
	(void)a;
	(void)b;
	__asm__("leaq (%rdi, %rsi, 2), %rax\n\tret");
}

TEST(return_naked)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(50); i++)
		sum = naked_sum(sum, i);
	return sum;
}

/* No checks, no calls, a result in rax and rdx. */
struct two {
	uint64_t a, b;
};

static NOINLINE struct two divide(uint64_t a, uint64_t b)
{
	return (struct two){a / b, a % b};
}

struct both {
	double a;
	uint64_t b;
};

static NOINLINE struct both halve(struct both value)
{
	for (uint64_t i = 0; i < hidden(3); i++)
		value = (struct both){value.a / 2 + 1, value.b * 3 + i};
	return value;
}

TEST(return_two_registers)
{
	struct both both = {1e6, seed};
	uint64_t sum = 0;
	for (uint64_t i = 1; i < hidden(60); i++) {
		struct two two = divide(sum + seed * 1000, i);
		both = halve(both);
		sum = mix(two.a, two.b) + both.b + (uint64_t)both.a;
	}
	return sum;
}

/* Compiled for speed and for size in one file, whatever the others are. */
__attribute__((optimize("O3"))) static NOINLINE uint64_t fast(uint64_t sum)
{
	for (uint64_t i = 0; i < hidden(40); i++)
		sum = mix(sum, i);
	return sum;
}

__attribute__((cold, optimize("Os"))) static NOINLINE uint64_t small(uint64_t sum)
{
	for (uint64_t i = 0; i < hidden(40); i++)
		sum = mix(sum, i);
	return sum;
}

TEST(return_from_optimized)
{
	return fast(seed) + small(seed + 1);
}
