/* Numbers that need particular registers or flags: 128 bits, carries, floating point in SSE and x87. */
#include "driver.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 wide;

static uint64_t fold(wide value)
{
	return mix((uint64_t)value, (uint64_t)(value >> 64));
}

TEST(number_wide)
{
	wide value = seed + 3, sum = 1;
	for (uint64_t i = 1; i < hidden(120); i++) {
		sum = sum * value + i;
		value ^= sum >> (i % 100);
		if (i % 7 == 0)
			sum = sum / (value | 1) + (sum % (i + 3) << 64);
	}
	return fold(sum);
}

TEST(number_wide_signed)
{
	__int128 value = -(__int128)seed - 5, sum = 0;
	for (int64_t i = -50; i < (int64_t)hidden(50); i++) {
		value = value * i - 3;
		sum += value >> 3;
		if (sum < value)
			sum -= value / (i | 1);
		if (value == 0)
			value = i;
	}
	return fold((wide)sum);
}

/* The carry lives from word to word, around the loop. */
TEST(number_carries)
{
	uint64_t a[40], b[40], carry = 0, sum = 0;
	for (int i = 0; i < 40; i++) {
		a[i] = ~mix(seed, i) | i << 3;
		b[i] = mix(seed + 9, i);
	}
	for (int turn = 0; turn < 8; turn++)
		for (int i = 0; i < 40; i++) {
			uint64_t first, second;
			unsigned carried = __builtin_add_overflow(a[i], b[i], &first);
			carried |= __builtin_add_overflow(first, carry, &second);
			a[i] = second;
			carry = carried;
		}
	for (int i = 0; i < 40; i++)
		sum = mix(sum, a[i]);
	return sum + carry;
}

/* An add with carry whose flag the compiler keeps in the processor's. */
TEST(number_carry_chain)
{
	unsigned long long words[33];
	for (int i = 0; i < 33; i++)
		words[i] = mix(seed, i) | (i % 3 ? 0 : ~0ull << 20);
	unsigned char carry = (unsigned char)(seed & 1);
	for (int turn = 0; turn < 6; turn++)
		for (int i = 0; i < 33; i++)
			carry = __builtin_ia32_addcarryx_u64(carry, words[i], words[(i + 7) % 33] >> turn, &words[i]);
	for (int turn = 0; turn < 6; turn++)
		for (int i = 0; i < 33; i++)
			carry = __builtin_ia32_sbb_u64(carry, words[i], words[(i + 5) % 33], &words[i]);
	uint64_t sum = carry;
	for (int i = 0; i < 33; i++)
		sum = mix(sum, words[i]);
	return sum;
}

/* Comparisons whose results are used behind the place where a loop begins. */
TEST(number_conditions)
{
	int64_t a = (int64_t)seed - 5, b = 17, least = INT64_MAX;
	uint64_t sum = 0;
	for (int i = 0; i < (int)hidden(150); i++) {
		a = a * 31 + i;
		b ^= a >> 7;
		least = a < least ? a : least;
		sum += (uint64_t)(a < b) + 2 * (uint64_t)((uint64_t)a < (uint64_t)b) + (a & b ? 5 : 3);
		sum = a > b ? sum << 1 | sum >> 63 : sum ^ (uint64_t)b;
	}
	return mix(sum, (uint64_t)least);
}

TEST(number_bits)
{
	uint64_t sum = seed | 1;
	for (uint64_t i = 1; i < hidden(150); i++) {
		uint64_t value = mix(sum, i);
		sum += (uint64_t)__builtin_popcountll(value) + (uint64_t)__builtin_clzll(value | 1) * 3;
		sum ^= (uint64_t)__builtin_ctzll(value | 1ull << 50) << (i % 60);
		sum += __builtin_bswap64(value) + (value << (i % 64) | value >> (-i % 64));
		for (uint64_t bits = value & 0xff; bits; bits &= bits - 1)
			sum = sum * 5 + (uint64_t)__builtin_parityll(bits);
	}
	return sum;
}

TEST(number_divisions)
{
	uint64_t sum = seed;
	for (uint64_t i = 1; i < hidden(100); i++) {
		uint64_t a = mix(sum, i), b = a % 1000 + 1;
		sum = mix(sum, a / b) + a % (b + i);
		sum ^= (uint64_t)((int64_t)a / (int64_t)(b + 1)) + (uint64_t)((int32_t)a % (int32_t)(i + 3));
	}
	return sum;
}

TEST(number_double)
{
	double sum = (double)seed, x = 0.5, y = 0.25;
	for (int i = 1; i < (int)hidden(200); i++) {
		x = 3.75 * x * (1 - x);
		y += x / i;
		sum += x * y - sum / 1024;
	}
	return (uint64_t)(int64_t)(sum * 1000000);
}

TEST(number_float_reduction)
{
	float values[100], sum = 0, product = 1;
	for (int i = 0; i < 100; i++)
		values[i] = (float)((i * 37 + (int)seed) % 51) / 8;
	for (int turn = 0; turn < 5; turn++)
		for (int i = 0; i < 100; i++) {
			sum += values[i];
			product = product * (1 + values[i] / 4096);
		}
	return (uint64_t)(sum * 64) + (uint64_t)(product * 65536);
}

/* Eight sums at once, so that many floating point registers are live around the loop. */
TEST(number_many_doubles)
{
	double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;
	for (uint64_t n = 0; n < hidden(150); n++) {
		a = b * 0.5 + (double)seed;
		b = c - a * 0.25;
		c = d + b * 0.125;
		d = e - c * 0.5;
		e = f + d * 0.25;
		f = g - e * 0.125;
		g = h + f * 0.5;
		h = i - g * 0.25;
		i = j + h * 0.125;
		j = k - i * 0.5;
		k = l + j * 0.25;
		l = a - k * 0.125;
	}
	double all[12] = {a, b, c, d, e, f, g, h, i, j, k, l};
	uint64_t sum = 0, bits;
	for (int n = 0; n < 12; n++) {
		memcpy(&bits, &all[n], sizeof bits);
		sum = mix(sum, bits);
	}
	return sum;
}

static NOINLINE long double polynomial(long double x, int terms)
{
	long double sum = 0, power = 1;
	for (int i = 0; i < terms; i++) {
		sum += power / (i + 1);
		power *= x;
	}
	return sum;
}

TEST(number_long_double)
{
	long double sum = 0;
	for (int i = 0; i < 12; i++)
		sum += polynomial((long double)(i + (int)seed) / 32, 30 + i);
	return (uint64_t)(sum * 1e15L);
}

/* The x87 stack holds several values around the loop, and some turn into integers in it. */
TEST(number_long_double_mixed)
{
	long double a = 1.0L / 3, b = (long double)seed + 1, c = 0.125L;
	uint64_t sum = 0;
	double other = 2;
	for (int i = 1; i < (int)hidden(120); i++) {
		a = a * b / (i + 1) + c;
		c = b - a > 1 ? c / 2 : c + 0.5L;
		b += __builtin_fabsl(a - c) / 8;
		other = other * 0.5 + (double)a;
		sum = mix(sum, (uint64_t)(int64_t)(c * 1048576) + (uint64_t)(int64_t)(other * 65536));
	}
	return sum + (uint64_t)(int64_t)(b * 1e9L);
}

static NOINLINE _Complex long double complex_step(_Complex long double z, _Complex long double c)
{
	return z * z + c;
}

TEST(number_complex)
{
	_Complex double z = 0, c = 0.3 + 0.4i;
	_Complex long double w = 0.1L, v = 0.2L + 0.1iL * (int)seed;
	for (int i = 0; i < (int)hidden(80); i++) {
		z = z * z * 0.5 + c;
		w = complex_step(w, v) / 2;
	}
	return (uint64_t)(int64_t)((__real__ z + __imag__ z) * 1e6 + (double)(__real__ w - __imag__ w) * 1e6);
}

/* The optimizer may make loops over the x87 stack of these. */
TEST(number_remainders)
{
	double sum = 0;
	long double wide_sum = 0;
	float narrow_sum = 0;
	for (int i = 1; i < (int)hidden(60); i++) {
		sum += fmod(1e15 + i * 1234.5 + (double)seed, i + 0.75) + remainder(1e9 * i, 7.25 + i);
		narrow_sum += fmodf(1e7f * (float)i, 3.5f + (float)i);
		wide_sum += fmodl(1e18L * i, 3.3L + i);
	}
	return (uint64_t)(int64_t)(sum * 4096) + (uint64_t)(int64_t)(narrow_sum * 16) +
	       (uint64_t)(int64_t)(wide_sum * 64);
}

TEST(number_conversions)
{
	uint64_t sum = seed;
	double x = 1.5;
	for (int i = 0; i < (int)hidden(100); i++) {
		x = x * 1.25 + (double)(sum % 1000);
		float y = (float)x;
		sum = mix(sum, (uint64_t)(x < 1e17 ? x : (x = 1.5)) + (uint64_t)(int32_t)(y < 1e9f ? y : 0));
		sum += (uint64_t)((long double)sum / 3);
	}
	return sum;
}
