/* Copying, filling and searching, in code and by repeated string instructions; atomic operations. */
#include "driver.h"

#include <stdatomic.h>
#include <string.h>

static uint64_t sum_of(const unsigned char *bytes, size_t size)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i++)
		sum = sum * 33 + bytes[i];
	return sum;
}

TEST(memory_copies)
{
	unsigned char from[512], to[512];
	uint64_t sum = seed;
	for (size_t i = 0; i < sizeof from; i++)
		from[i] = (unsigned char)(i * 7 + seed);
	for (size_t size = hidden(1); size < 512; size = size * 2 + 3) {
		memset(to, (int)size, sizeof to);
		memcpy(to + size % 5, from, size - size % 5);
		memmove(to + 3, to, size / 2);
		sum = mix(sum, sum_of(to, sizeof to)) + (uint64_t)(memcmp(from, to, size) < 0);
	}
	return sum;
}

/* Of constant size: these become some moves, or a repeated instruction. */
struct block {
	uint64_t words[30];
};

TEST(memory_blocks)
{
	struct block blocks[4];
	uint64_t sum = seed;
	memset(blocks, 0, sizeof blocks);
	for (uint64_t i = 0; i < hidden(100); i++) {
		blocks[i % 4].words[i % 30] = mix(sum, i);
		blocks[(i + 1) % 4] = blocks[i % 4];
		if (i % 16 == 9)
			memset(&blocks[i % 3], (int)i, sizeof *blocks);
		sum += blocks[3].words[(i + 5) % 30];
	}
	return sum;
}

TEST_OF_KIND(memory_repeated_instructions, TEST_OPAQUE)
{
	unsigned char from[300], to[300];
	uint64_t sum = 0;
	for (uint64_t i = 0; i < hidden(40); i++) {
		void *target = from;
		const void *source = from;
		uint64_t count = sizeof from, value = i * 3 + seed;
		__asm__ volatile("rep stosb" : "+D"(target), "+c"(count) : "a"(value) : "memory");
		from[i * 7] = (unsigned char)value + 1;
		count = sizeof from;
		target = to;
		__asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(count) : : "memory");
		count = sizeof to;
		target = to;
		__asm__ volatile("repe scasb" : "+D"(target), "+c"(count) : "a"(value) : "memory", "cc");
		sum = mix(sum, count) + (uint64_t)((unsigned char *)target - to);
	}
	return sum + sum_of(to, sizeof to);
}

TEST(memory_strings)
{
	char text[128], word[16];
	uint64_t sum = seed;
	for (uint64_t i = 0; i < sizeof text - 1; i++)
		text[i] = (char)('a' + (i * 5 + seed) % 26);
	text[sizeof text - 1] = 0;
	for (uint64_t i = 0; i < hidden(20); i++) {
		memcpy(word, text + i * 5, 3 + i % 4);
		word[3 + i % 4] = 0;
		const char *found = strstr(text, word), *letter = strchr(text, word[1]);
		sum = mix(sum, strlen(text + i) + (uint64_t)(found - text));
		sum += (uint64_t)(letter - text) + (uint64_t)(strcmp(word, text + i) > 0) + strspn(text + i, word);
	}
	return sum;
}

/* A search by hand, with everything in registers. */
static NOINLINE const char *search(const char *text, const char *word)
{
	for (; *text; text++) {
		const char *a = text, *b = word;
		while (*b && *a == *b)
			a++, b++;
		if (!*b)
			return text;
	}
	return NULL;
}

TEST(memory_search)
{
	char text[300];
	for (uint64_t i = 0; i < 299; i++)
		text[i] = "ab"[(i >> seed & i / 3 & 1)];
	text[299] = 0;
	const char *found = search(text, "abbbabb"), *none = search(text, "ababababbbbbbbbbba");
	return (uint64_t)(found ? found - text : 1000) + (uint64_t)(none ? none - text : 1000) * 1000;
}

TEST(memory_atomics)
{
	_Atomic uint64_t word = seed, other = 5;
	_Atomic uint32_t half = 7;
	_Atomic unsigned __int128 *const none = NULL;
	uint64_t sum = (uint64_t)(none == NULL);
	for (uint64_t i = 0; i < hidden(100); i++) {
		sum += atomic_fetch_add(&word, i) + atomic_exchange(&other, sum);
		uint64_t expected = atomic_load_explicit(&word, memory_order_relaxed);
		while (!atomic_compare_exchange_weak(&word, &expected, expected * 3 + 1))
			;
		atomic_fetch_or_explicit(&half, 1u << i % 32, memory_order_release);
		sum ^= atomic_fetch_xor(&half, (uint32_t)sum) + atomic_fetch_and(&other, ~i);
		atomic_thread_fence(memory_order_seq_cst);
	}
	return sum + word + other + half;
}

/* Locked operations whose flags decide. */
TEST(memory_atomic_flags)
{
	_Atomic int64_t count = (int64_t)hidden(90) + (int64_t)seed;
	_Atomic uint64_t bits = 0;
	uint64_t sum = 0;
	while (atomic_fetch_sub(&count, 1) != 1) {
		if (atomic_fetch_or(&bits, UINT64_C(1) << count % 64) & UINT64_C(1) << count % 64)
			sum = mix(sum, (uint64_t)count);
		if (atomic_fetch_add(&bits, 3) < 0x100)
			sum++;
	}
	return mix(sum, bits);
}

/* Memory that changes by nothing that is seen. */
TEST(memory_volatile)
{
	volatile uint64_t words[5] = {seed, 1, 2, 3, 4};
	volatile uint8_t byte = 0;
	while (byte != 200) {
		byte++;
		words[byte % 5] += words[(byte + 1) % 5] ^ byte;
	}
	return words[0] ^ words[1] << 1 ^ words[2] << 2 ^ words[3] << 3 ^ words[4] << 4;
}
