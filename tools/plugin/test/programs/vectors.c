/*
 * Vector and mask registers that are live around loops, by the compiler's vector types: 128 bits always, 256
 * and 512 if the processor that is compiled for has them.
 */
#include "driver.h"

#include <string.h>

typedef uint32_t v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));

static NOINLINE uint64_t hash_bytes(const void *bytes, size_t size)
{
	const unsigned char *at = (const unsigned char *)bytes;
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i++)
		sum = mix(sum, at[i]);
	return sum;
}

/* Loops that the optimizer makes vector loops of. */
TEST(vector_by_optimizer)
{
	float a[130], b[130], c[130];
	int32_t x[130], y[130], largest = INT32_MIN, total = 0;
	for (int i = 0; i < 130; i++) {
		a[i] = (float)i / 3;
		b[i] = (float)(i ^ (int)seed) * 2;
		x[i] = i * 7 - (int)seed;
	}
	for (int turn = 0; turn < 6; turn++)
		for (int i = 0; i < 130; i++)
			c[i] = a[i] * b[i] + (turn ? c[i] / 2 : 0);
	for (int i = 0; i < 130; i++) {
		y[i] = x[i] > 100 ? x[i] - i : x[i] * 2;
		largest = largest > y[i] ? largest : y[i];
		total += y[i] * x[i];
	}
	return hash_bytes(c, sizeof c) + hash_bytes(y, sizeof y) + (uint64_t)largest + (uint64_t)total;
}

TEST(vector_128)
{
	v4 a = {(uint32_t)seed, 1, 2, 3}, b = {5, 6, 7, 8}, c = a + 9, d = b ^ 77, e = c * d, f = a - e;
	f4 x = {1, 2, 3, 4}, y = {0.5f, 0.25f, 0.125f, 2};
	for (uint64_t i = 0; i < hidden(150); i++) {
		a += b ^ (c << 3);
		b = b * 5 + (uint32_t)i;
		c ^= a >> 7;
		d -= c;
		e += d & a;
		f = __builtin_shuffle(f, e, (v4){1, 6, 3, 4});
		x = x * y + 0.5f;
		y = y * 0.75f + 0.125f;
	}
	v4 all[6] = {a, b, c, d, e, f};
	f4 reals[2] = {x, y};
	return hash_bytes(all, sizeof all) + hash_bytes(reals, sizeof reals);
}

/* More than there are registers. */
TEST(vector_many_128)
{
	v4 a[20];
	for (uint32_t i = 0; i < 20; i++)
		a[i] = (v4){i, i + 1, (uint32_t)seed, 9};
	for (uint64_t turn = 0; turn < hidden(60); turn++)
#pragma GCC unroll 20
		for (int i = 0; i < 20; i++)
			a[i] = a[i] * 3 + a[(i + 1) % 20];
	return hash_bytes(a, sizeof a);
}

/* Vectors as arguments and results, live at a function's entry. */
static NOINLINE v4 vector_step(v4 a, v4 b, v4 c, v4 d, v4 e, v4 f, v4 g, v4 h)
{
	v4 sum = a + (b << 1) + (c << 2) + (d << 3) + (e << 4) + (f << 5) + (g << 6) + (h << 7);
	for (uint32_t i = 0; i < (uint32_t)hidden(3); i++)
		sum = sum * 3 + i;
	return sum[0] % 4 == 0 ? sum : vector_step(b, c, d, e, f, g, h, sum | 1);
}

TEST(vector_arguments)
{
	v4 a = {(uint32_t)seed, 1, 2, 3}, b = a + 1, c = a * 3;
	for (int i = 0; i < 12; i++) {
		v4 next = vector_step(a, b, c, a + b, b + c, a * c, a ^ 5, c ^ 9);
		a = b;
		b = c;
		c = next ^ (uint32_t)i;
	}
	return hash_bytes(&c, sizeof c);
}

#ifdef __AVX2__

typedef uint64_t v8 __attribute__((vector_size(32)));
typedef double d8 __attribute__((vector_size(32)));

TEST(vector_256)
{
	v8 a = {seed, 1, 2, 3}, b = {5, 6, 7, 8}, c = a + 9, d = b ^ 77, e = c + d, f = a - e;
	d8 x = {1, 2, 3, 4}, y = {0.5, 0.25, 0.125, 2};
	for (uint64_t i = 0; i < hidden(150); i++) {
		a += b ^ (c << 3);
		b = (b << 2) + i;
		c ^= a >> 7;
		d -= c;
		e += d & a;
		f = __builtin_shuffle(f, e, (v8){1, 6, 3, 4});
		x = x * y + 0.5;
		y = y * 0.75 + 0.125;
	}
	v8 all[6] = {a, b, c, d, e, f};
	d8 reals[2] = {x, y};
	return hash_bytes(all, sizeof all) + hash_bytes(reals, sizeof reals);
}

static NOINLINE v8 vector_step_256(v8 a, v8 b, uint64_t left)
{
	return left == 0 ? a : vector_step_256(b + left, a ^ (b << 5), left - 1);
}

TEST(vector_arguments_256)
{
	v8 result = vector_step_256((v8){seed, 2, 3, 4}, (v8){5, 6, 7, 8}, 90);
	return hash_bytes(&result, sizeof result);
}

/* An argument that a function does nothing with but pass it on: over a loop, and from its entry on. */
static NOINLINE uint64_t vector_end_256(v8 passed, uint64_t sum)
{
	return mix(hash_bytes(&passed, sizeof passed), sum);
}

static NOINLINE uint64_t vector_pass_256(v8 passed, uint64_t sum)
{
	for (uint64_t i = 0; i < hidden(9); i++)
		sum = mix(sum, i);
	return vector_end_256(passed, sum);
}

static NOINLINE uint64_t vector_hand_256(v8 passed, uint64_t sum)
{
	return vector_pass_256(passed, sum) + hash_bytes(&sum, sizeof sum);
}

TEST(vector_passed_256)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(20); i++)
		sum = mix(sum, vector_hand_256((v8){sum, i, 3, ~sum}, i));
	return sum;
}

#endif
#ifdef __AVX512BW__

typedef uint64_t v16 __attribute__((vector_size(64)));
typedef char bytes __attribute__((vector_size(64)));

TEST(vector_512)
{
	v16 a[24];
	for (uint64_t i = 0; i < 24; i++)
		a[i] = (v16){i, seed, 3, 4, 5, 6, 7, 8 + i};
	for (uint64_t turn = 0; turn < hidden(60); turn++)
#	pragma GCC unroll 24
		for (int i = 0; i < 24; i++)
			a[i] = (a[i] << 1) + (a[(i + 1) % 24] ^ turn);
	return hash_bytes(a, sizeof a);
}

/* Arguments that are only passed on. */
static NOINLINE uint64_t vector_end_512(v16 passed, uint64_t sum)
{
	return mix(hash_bytes(&passed, sizeof passed), sum);
}

static NOINLINE uint64_t vector_pass_512(v16 passed, uint64_t sum)
{
	for (uint64_t i = 0; i < hidden(9); i++)
		sum = mix(sum, i);
	return vector_end_512(passed, sum);
}

TEST(vector_passed_512)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(20); i++)
		sum = mix(sum, vector_pass_512((v16){sum, i, 3, ~sum, 5, 6, 7, sum}, i));
	return sum;
}

/* Registers 16 to 31 with 128 bits only. */
TEST(vector_upper_128)
{
	v4 a[28];
	for (uint32_t i = 0; i < 28; i++)
		a[i] = (v4){i, i + 1, (uint32_t)seed, 9};
	for (uint64_t turn = 0; turn < hidden(60); turn++)
#	pragma GCC unroll 28
		for (int i = 0; i < 28; i++)
			a[i] = a[i] * 3 + a[(i + 1) % 28];
	return hash_bytes(a, sizeof a);
}

/* Masks made before a loop and used in it, and masks that change in it. */
TEST(vector_masks)
{
	bytes a, b, sum;
	for (int i = 0; i < 64; i++) {
		a[i] = (char)(i * 5 + (int)seed);
		b[i] = (char)(i * 11);
		sum[i] = 0;
	}
	uint64_t less, greater, masks = seed;
	for (uint64_t i = 0; i < hidden(120); i++) {
		less = __builtin_ia32_cmpb512_mask(a, b, 1, ~UINT64_C(0));
		greater = __builtin_ia32_cmpb512_mask(a, sum, 6, less);
		sum = ((a < b) & (sum + a)) | ((a >= b) & (sum - b));
		a = ((sum > b) & (a + 3)) | ((sum <= b) & (b ^ a));
		masks = mix(masks, less ^ greater);
	}
	return hash_bytes(&sum, sizeof sum) + masks;
}

/* Loops that the optimizer may predicate with masks. */
TEST(vector_predicated)
{
	int32_t a[77], b[77];
	uint64_t sum = 0;
	for (int i = 0; i < 77; i++) {
		a[i] = i * 31 % 19 - (int)seed;
		b[i] = i;
	}
	for (int turn = 0; turn < 9; turn++)
		for (int i = 0; i < 77; i++)
			if (a[i] > 4) {
				b[i] += a[i] * turn;
				a[i] -= b[i] & 7;
			}
	for (int i = 0; i < 77; i++)
		sum = mix(sum, (uint64_t)b[i]);
	return sum;
}

#endif
