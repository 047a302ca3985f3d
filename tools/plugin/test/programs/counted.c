/* Loops whose number of turns can be computed, in every form, at the limits of their types: these the plugin
 * may cut into pieces, with one check for many turns. */
#include "driver.h"

/* The value of the counter behind the loop counts as well. */
static NOINLINE uint64_t up_to(uint64_t from, uint64_t to, uint64_t step)
{
	uint64_t sum = 0, i;
	for (i = from; i < to; i += step)
		sum = sum * 3 + i;
	return mix(sum, i);
}

static NOINLINE uint64_t up_to_and_with(uint64_t from, uint64_t to)
{
	uint64_t sum = 0, i;
	for (i = from; i <= to; i++) {
		sum = sum * 3 + i;
		if (sum % 1021 == 5)
			break;
	}
	return mix(sum, i);
}

static NOINLINE uint64_t until(uint32_t from, uint32_t to, uint32_t step)
{
	uint64_t sum = 0;
	uint32_t i;
	for (i = from; i != to; i += step)
		sum = sum * 3 + i;
	return mix(sum, i);
}

static NOINLINE uint64_t down_from(uint64_t from)
{
	uint64_t sum = 0;
	while (from-- > 0)
		sum = sum * 3 + from;
	return mix(sum, from);
}

TEST(counted_unsigned)
{
	uint64_t sum = seed, most = UINT64_MAX;
	static const uint64_t counts[] = {0,  1,  2,  3,  7,  8,  9,   15,  16,  17,
	                                  31, 33, 63, 64, 65, 99, 100, 101, 999, 2000};
	for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
		sum = mix(sum, up_to(seed, counts[i] + seed, 1) + down_from(counts[i]));
		sum = mix(sum, up_to(most - counts[i] * 3, most, 3) + until(5, 5 + (uint32_t)counts[i] * 2, 2));
		sum = mix(sum, up_to_and_with(most - counts[i], most));
		sum = mix(sum, until((uint32_t)counts[i], 0, UINT32_MAX));
	}
	return sum;
}

static NOINLINE uint64_t signed_up(int32_t from, int32_t to, int32_t step)
{
	uint64_t sum = 0;
	for (int32_t i = from; i < to; i += step)
		sum = sum * 3 + (uint64_t)i;
	return sum;
}

static NOINLINE uint64_t signed_down(int64_t from, int64_t to)
{
	uint64_t sum = 0;
	for (int64_t i = from; i >= to; i -= 5)
		sum = sum * 3 + (uint64_t)i;
	return sum;
}

TEST(counted_signed)
{
	uint64_t sum = seed;
	for (int32_t n = 0; n < 1200; n = n * 5 / 3 + 1) {
		sum =
		    mix(sum, signed_up(INT32_MIN, INT32_MIN + n, 1) + signed_up(INT32_MAX - n - 7, INT32_MAX - 7, 7));
		sum = mix(sum, signed_up(-n, n, 3) + signed_up(n, -n, 1) + signed_up(0, n, 1 + (int32_t)seed));
		sum = mix(sum,
		          signed_down(INT64_MIN + n + 20, INT64_MIN + 20) + signed_down(n, -n) + signed_down(-n, n));
	}
	return sum;
}

/* Counters that are narrower than a register, and wrap around on the way. */
TEST(counted_narrow)
{
	uint64_t sum = seed;
	for (uint8_t first = 0; first < 250; first += 31) {
		for (uint8_t i = first; i != (uint8_t)(first - 1); i++)
			sum = sum * 3 + i;
		for (int8_t i = -128; i < 127; i++)
			sum ^= (uint64_t)i << (first % 8);
		for (uint16_t i = (uint16_t)(65000 + first); i > 9; i++)
			sum = sum * 5 + i;
	}
	return sum;
}

struct entry {
	uint32_t key;
	uint16_t weight;
	uint8_t tail[5];
};

static NOINLINE uint64_t over_entries(const struct entry *from, const struct entry *to)
{
	uint64_t sum = 0;
	for (const struct entry *entry = from; entry != to; entry++)
		sum = sum * 3 + entry->key + entry->weight;
	for (const struct entry *entry = to; entry-- > from;)
		sum ^= (uint64_t)entry->tail[2] << entry->weight % 40;
	return sum;
}

TEST(counted_pointers)
{
	struct entry entries[500];
	uint64_t sum = seed;
	for (uint32_t i = 0; i < 500; i++)
		entries[i] = (struct entry){i * 77, (uint16_t)(i + seed), {1, 2, (uint8_t)i, 4, 5}};
	for (uint32_t count = 0; count <= 500; count += 83)
		sum = mix(sum, over_entries(entries + 500 - count, entries + 500) +
		                   over_entries(entries, entries + count));
	return sum + over_entries(entries, entries);
}

/* Nests whose loops are short alone, and together are not. */
TEST(counted_nests)
{
	uint64_t sum = seed;
	for (uint32_t i = 0; i < 30; i++)
		for (uint32_t j = 0; j < 10; j++)
			for (uint32_t k = 0; k < 7; k++)
				sum += sum >> 7 ^ (i * 100 + j * 10 + k);
	for (uint64_t i = 0; i < hidden(40); i++)
		for (uint64_t j = 0; j < 16; j++)
			sum = sum * 3 + i * j;
	for (uint64_t i = 0; i < 25; i++)
		for (uint64_t j = i; j < hidden(25); j++)
			sum ^= sum << 3 ^ j;
	for (uint64_t i = 1; i < 400; i *= 2)
		for (uint64_t j = 0; j < i; j++)
			sum = mix(sum, j);
	return sum;
}

/* A strip's counter must be its own in each turn of the loop around it, and left behind by every exit. */
static NOINLINE uint64_t first_at(const uint8_t *bytes, uint64_t count, uint8_t wanted)
{
	for (uint64_t i = 0; i < count; i++)
		if (bytes[i] == wanted)
			return i;
	return count;
}

TEST(counted_with_exits)
{
	uint8_t bytes[700];
	uint64_t sum = seed;
	for (uint32_t i = 0; i < 700; i++)
		bytes[i] = (uint8_t)(i / 3);
	for (uint32_t wanted = 0; wanted < 256; wanted += 17)
		sum = mix(sum, first_at(bytes, hidden(700), (uint8_t)wanted));
	for (uint64_t i = 0; i < hidden(50); i++) {
		uint64_t j;
		for (j = 0; j < 90; j++) {
			if (bytes[j * 7] == i)
				goto found;
			sum = sum * 3 + j;
		}
		continue;
	found:
		sum = mix(sum, j);
	}
	return sum;
}

/* A loop with all registers in use, as a strip needs one more. */
TEST(counted_with_full_registers)
{
	uint64_t a = seed, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7, k = 8, l = 9, m = 10, n = 11;
	for (uint64_t i = 0; i < hidden(600); i++) {
		a += b ^ i;
		b += c ^ a;
		c += d ^ b;
		d += e ^ c;
		e += f ^ d;
		f += g ^ e;
		g += h ^ f;
		h += k ^ g;
		k += l ^ h;
		l += m ^ k;
		m += n ^ l;
		n += a ^ m;
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ k ^ l ^ m ^ n;
}

/* Vector loops with a rest. */
TEST(counted_vectors)
{
	float x[501], y[501];
	uint8_t bytes[501];
	uint64_t sum = seed;
	for (uint32_t i = 0; i < 501; i++) {
		x[i] = (float)(i + seed);
		y[i] = 0;
		bytes[i] = (uint8_t)(i * 3);
	}
	for (uint64_t count = 1; count < 501; count = count * 7 / 3 + 1) {
		for (uint64_t i = 0; i < count; i++)
			y[i] += x[i] * 0.5f;
		for (uint64_t i = 0; i < count; i++)
			bytes[i] = (uint8_t)(bytes[i] * 5 + 1);
		for (uint64_t i = 0; i < count; i++)
			sum += bytes[i];
	}
	return sum * 1000 + (uint64_t)(y[0] + y[17] + y[400]);
}
