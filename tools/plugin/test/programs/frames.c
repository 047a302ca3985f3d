/* Frames of every form: without any, with red zone, of variable size, over-aligned, large, with nested
 * functions. */
#include "driver.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

static NOINLINE uint64_t variable_array(uint64_t count, uint64_t seed)
{
	uint64_t values[count + 1], sum = 0;
	for (uint64_t i = 0; i <= count; i++)
		values[i] = mix(seed, i);
	for (uint64_t i = 0; i <= count; i++)
		sum += values[count - i] * (i + 1);
	return sum;
}

TEST(frame_variable_arrays)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < 20; i++)
		sum ^= variable_array(i * 3 + seed, sum);
	return sum;
}

struct link {
	struct link *next;
	uint64_t value;
};

/* The stack pointer moves in the loop itself. */
static NOINLINE uint64_t allocated_list(uint64_t count, uint64_t seed)
{
	struct link *first = NULL;
	for (uint64_t i = 0; i < count; i++) {
		struct link *link = (struct link *)alloca(sizeof *link + i % 5 * 8);
		*link = (struct link){first, mix(seed, i)};
		first = link;
	}
	uint64_t sum = 0;
	for (; first; first = first->next)
		sum = mix(sum, first->value);
	return sum;
}

TEST(frame_alloca)
{
	return allocated_list(100 + seed, seed) + allocated_list(0, seed);
}

/* A scope's array comes and goes with each turn. */
TEST(frame_scopes)
{
	uint64_t sum = seed;
	for (uint64_t i = 1; i < 40; i++) {
		uint64_t values[i];
		for (uint64_t j = 0; j < i; j++)
			values[j] = sum + j;
		sum = mix(values[i / 2], values[i - 1]);
	}
	return sum;
}

static NOINLINE uint64_t over_aligned(uint64_t seed, uint64_t depth)
{
	_Alignas(256) uint64_t block[32];
	uint64_t sum = (uintptr_t)block % 256;
	for (uint64_t i = 0; i < 32; i++)
		block[i] = mix(seed, i + depth);
	if (depth)
		sum += over_aligned(seed + 1, depth - 1);
	for (uint64_t i = 0; i < 32; i++)
		sum = mix(sum, block[i]);
	return sum;
}

static NOINLINE uint64_t over_aligned_variable(uint64_t count, uint64_t seed)
{
	_Alignas(64) uint64_t block[8] = {seed, 1, 2, 3, 4, 5, 6, 7};
	uint64_t values[count], sum = (uintptr_t)block % 64;
	for (uint64_t i = 0; i < count; i++)
		values[i] = block[i % 8] += i;
	for (uint64_t i = 0; i < count; i++)
		sum = mix(sum, values[i]);
	return sum;
}

TEST(frame_over_aligned)
{
	return over_aligned(seed, 5) + over_aligned_variable(40 + seed, seed);
}

/* A leaf whose variables lie below the stack pointer. */
static NOINLINE uint64_t red_zone(uint64_t seed)
{
	volatile uint64_t words[12];
	for (uint64_t i = 0; i < 12; i++)
		words[i] = seed + i;
	for (uint64_t i = 0; i < hidden(50); i++)
		words[i % 12] += words[(i + 5) % 12] * 3;
	uint64_t sum = 0;
	for (uint64_t i = 0; i < 12; i++)
		sum = sum * 7 + words[i];
	return sum;
}

/* All of the red zone, and the registers that it keeps. */
static NOINLINE uint64_t red_zone_full(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	volatile uint32_t words[28];
	for (uint32_t i = 0; i < 28; i++)
		words[i] = (uint32_t)(a * i + b);
	for (uint64_t i = 0; i < hidden(90); i++) {
		words[i % 28] ^= (uint32_t)(c + i);
		a = mix(a, words[(i + 9) % 28]);
		b += a;
		c ^= b >> 3;
		d = d * 5 + c;
	}
	return a ^ b ^ c ^ d;
}

TEST(frame_red_zone)
{
	uint64_t sum = seed;
	for (int i = 0; i < 8; i++)
		sum = mix(red_zone(sum), red_zone_full(sum, seed, 7, 9));
	return sum;
}

static NOINLINE uint64_t large_frame(uint64_t seed, unsigned depth)
{
	unsigned char bytes[40000];
	memset(bytes, (int)(seed & 0xff), sizeof bytes);
	for (uint64_t i = 0; i < hidden(100); i++)
		bytes[mix(seed, i) % sizeof bytes]++;
	uint64_t sum = depth ? large_frame(seed * 3, depth - 1) : 0;
	for (uint64_t i = 0; i < sizeof bytes; i += 37)
		sum = sum * 31 + bytes[i];
	return sum;
}

TEST(frame_large)
{
	return large_frame(seed + 1, 3);
}

/* So many live values that some go to the frame. */
static NOINLINE uint64_t spilled(uint64_t s)
{
	uint64_t a = s, b = s + 1, c = s + 2, d = s + 3, e = s + 4, f = s + 5, g = s + 6, h = s + 7, i = s + 8,
	         j = s + 9;
	uint64_t k = s + 10, l = s + 11, m = s + 12, n = s + 13, o = s + 14, p = s + 15, q = s + 16, r = s + 17;
	for (uint64_t turn = 0; turn < hidden(150); turn++) {
		a += b ^ r;
		b ^= c + turn;
		c -= d;
		d += e << 1;
		e ^= f;
		f += g >> 2;
		g -= h;
		h ^= i;
		i += j;
		j ^= k + a;
		k += l;
		l -= m ^ b;
		m += n;
		n ^= o << 3;
		o += p;
		p -= q;
		q ^= r + c;
		r += a >> 1;
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o ^ p ^ q ^ r;
}

TEST(frame_spilled)
{
	return spilled(seed);
}

/* A nested function, called directly: it reaches its parent's variables through r10. */
TEST(frame_nested_function)
{
	uint64_t sum = seed, calls = 0;
	NOINLINE uint64_t add(uint64_t value)
	{
		calls++;
		for (uint64_t i = 0; i < value % 4; i++)
			sum = mix(sum, i);
		return value < 3 ? sum : add(value - 3) + calls;
	}
	uint64_t total = 0;
	for (uint64_t i = 0; i < 30; i++)
		total += add(i);
	return mix(total, sum + calls);
}

/* The register of a nested function's frame is live at its entry, with all six arguments. */
TEST(frame_nested_arguments)
{
	uint64_t base = seed;
	NOINLINE uint64_t add(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
	{
		base += a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6;
		return a == 0 ? base : add(a - 1, c, d, e, f, b) ^ base;
	}
	return add(25, 1, 2, 3, 4, 5);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Called back by code that has no checks; nor has what is called back. */
TEST_OF_KIND(frame_called_back, TEST_OPAQUE)
{
	uint64_t values[60], sum = 0;
	for (uint64_t i = 0; i < 60; i++)
		values[i] = mix(seed, i);
	qsort(values, 60, sizeof *values, compare);
	for (uint64_t i = 0; i < 60; i++)
		sum = mix(sum, values[i]);
	return sum;
}
