/* Loops of every kind that one function has, where each way back is a branch to the loop's own beginning. */
#include "driver.h"

TEST(loop_for)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(300); i++)
		sum = mix(sum, i);
	return sum;
}

TEST(loop_while)
{
	uint64_t sum = seed, value = seed * 77 + 123456789;
	while (value != 1 && sum % 1009 != 5) {
		value = value % 2 ? 3 * value + 1 : value / 2;
		sum = mix(sum, value);
	}
	return sum;
}

TEST(loop_do)
{
	uint64_t sum = seed, left = 200;
	do {
		sum = mix(sum, left);
	} while (--left);
	return sum;
}

TEST(loop_endless_with_exit)
{
	uint64_t sum = seed;
	for (;;) {
		sum = mix(sum, 1);
		if (sum % 211 == 7)
			return sum;
	}
}

TEST(loop_nest)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < 12; i++)
		for (uint64_t j = 0; j < i + hidden(3); j++)
			for (uint64_t k = j; k < 9; k++)
				sum += i * 100 + j * 10 + k;
	return sum;
}

TEST(loop_nest_counted)
{
	static const uint64_t rows = 23, columns = 31;
	uint64_t table[23][31], sum = seed;
	for (uint64_t i = 0; i < rows; i++)
		for (uint64_t j = 0; j < columns; j++)
			table[i][j] = i * seed + j;
	for (uint64_t j = 0; j < columns; j++)
		for (uint64_t i = 0; i < rows; i++)
			sum = sum * 3 + table[i][j];
	return sum;
}

/* Three loops one in another: products of small matrices. */
TEST(loop_matrix)
{
	enum { N = 17 };
	double a[N][N], b[N][N], c[N][N];
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = (double)(i + (int)seed) / (j + 1);
			b[i][j] = i - j;
			c[i][j] = 0;
		}
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[i][k] * b[k][j];
	double sum = 0;
	for (int i = 0; i < N; i++)
		sum += c[i][N - 1 - i];
	return (uint64_t)(int64_t)(sum * 1024);
}

/* So short that they need no check, in one that does. */
TEST(loop_small_constant)
{
	uint64_t sum = seed, words[4] = {seed, seed + 1, seed * 2, 9};
	for (uint64_t i = 0; i < hidden(150); i++) {
		for (int j = 0; j < 4; j++)
			words[j] = mix(words[j], i);
		for (int j = 0; j < 3; j++)
			sum ^= words[j] << j;
	}
	return sum;
}

TEST(loop_constant_of_many_steps)
{
	uint64_t sum = seed;
	for (uint32_t i = 0; i < 5000; i++)
		sum += sum >> 3 ^ i;
	return sum;
}

static NOINLINE uint64_t steps(uint64_t from, uint64_t to, uint64_t step)
{
	uint64_t sum = 0;
	for (uint64_t i = from; i < to; i += step)
		sum = mix(sum, i);
	return sum;
}

static NOINLINE uint64_t steps_down(int64_t from, int64_t to, int64_t step)
{
	uint64_t sum = 0;
	for (int64_t i = from; i > to; i -= step)
		sum = mix(sum, (uint64_t)i);
	return sum;
}

TEST(loop_steps)
{
	uint64_t sum = steps(0, 1000, 7 + seed) + steps(5, 5, 1) + steps(9, 3, 1) + steps(0, 1, UINT64_MAX);
	sum += steps(0, UINT64_MAX - (UINT64_C(1) << 57), UINT64_C(1) << 57);
	sum += steps_down(500, -500, 3 + (int64_t)seed) + steps_down(-5, 5, 1) + steps_down(100, 0, 100);
	return sum;
}

/* The counter passes its largest value; with a step of zero only the other condition ends the loop. */
TEST(loop_wraps_around)
{
	uint64_t sum = seed, step = hidden(0);
	for (uint8_t i = (uint8_t)(200 + seed); i != 100; i++)
		sum = mix(sum, i);
	for (uint32_t i = UINT32_MAX - 50; i > 10; i++)
		sum = mix(sum, i);
	for (uint16_t i = 3; i != 2; i += 3)
		sum += i;
	for (uint64_t i = 0; i < 10 && sum % 97 != 3; i += step)
		sum = mix(sum, i);
	return sum;
}

/* Counts that are not known before: zero, one, a few, many. */
static NOINLINE uint64_t sum_of(const uint32_t *values, uint64_t count)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

static NOINLINE uint64_t sum_backwards(const uint32_t *values, int count)
{
	uint64_t sum = 0;
	for (int i = count - 1; i >= 0; i--)
		sum = sum * 5 + values[i];
	return sum;
}

TEST(loop_unknown_count)
{
	uint32_t values[1200];
	for (uint32_t i = 0; i < 1200; i++)
		values[i] = i * 2654435761u + (uint32_t)seed;
	uint64_t sum = 0;
	for (uint64_t count = 0; count < 1200; count = count * 3 / 2 + 1)
		sum = mix(sum, sum_of(values, count) + sum_backwards(values, (int)count));
	return sum + sum_backwards(values, -3) + sum_of(values, 0);
}

TEST(loop_several_exits)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(400); i++) {
		sum = mix(sum, i);
		if (sum % 331 == 1)
			break;
		if (sum % 3 == 0)
			continue;
		if (sum % 577 == 2)
			return ~sum;
		if (sum % 661 == 3)
			goto out;
		sum += i;
	}
	sum = ~sum;
out:
	return mix(sum, 5);
}

/* The conditions of the inner loop end the outer one too. */
TEST(loop_exit_from_the_inside)
{
	uint64_t sum = seed, rounds = 0;
	for (uint64_t i = 1;; i++)
		for (uint64_t j = i; j; j >>= 1) {
			sum = mix(sum, j);
			if (++rounds == 700)
				goto out;
			if (sum % 5 == 0)
				break;
		}
out:
	return mix(sum, rounds);
}

static uint64_t table_sum(const unsigned char *text, uint64_t hash)
{
	while (*text)
		hash = mix(hash, *text++);
	return hash;
}

TEST(loop_over_text)
{
	unsigned char text[200];
	for (int i = 0; i < 199; i++)
		text[i] = (unsigned char)(1 + (i * 7 + seed) % 250);
	text[199] = 0;
	uint64_t sum = seed;
	for (int i = 0; i < 6; i++)
		sum = table_sum(text + 20 * i, sum);
	return sum;
}

/* Many loops one after another, each with its own counter and its own live values. */
TEST(loop_sequence)
{
	uint64_t a = seed, b = 1, c = 2, d = 3;
	for (uint64_t i = 0; i < hidden(40); i++)
		a = mix(a, b + i);
	for (uint64_t i = 0; i < hidden(41); i++)
		b = mix(b, c ^ a);
	for (uint64_t i = hidden(42); i--;)
		c += mix(d, i) + b;
	for (uint64_t i = 0; i < hidden(43); i += 2)
		d ^= mix(c, i) - a;
	return a ^ b ^ c ^ d;
}

/* Sieve: an inner loop whose step is the outer one's counter. */
TEST(loop_sieve)
{
	enum { LIMIT = 2500 };
	unsigned char composite[LIMIT] = {0};
	uint64_t sum = seed;
	for (uint32_t i = 2; i * i < LIMIT; i++)
		if (!composite[i])
			for (uint32_t j = i * i; j < LIMIT; j += i)
				composite[j] = 1;
	for (uint32_t i = 2; i < LIMIT; i++)
		if (!composite[i])
			sum = mix(sum, i);
	return sum;
}
