/*
 * A test for each register that a check may have to save: the value lives in that register around a loop.
 * With the plugin's option omit=REGISTER the tests of that register must fail.
 */
#include "driver.h"

typedef uint32_t v4 __attribute__((vector_size(16)));
typedef uint64_t v8 __attribute__((vector_size(32)));
typedef uint64_t v16 __attribute__((vector_size(64)));

#define AROUND_A_LOOP(test, type, name, start, code, kind, result) \
	TEST(test)                                                     \
	{                                                              \
		register type value __asm__(name) = start;                 \
		for (uint64_t i = 0; i < hidden(400); i++)                 \
			__asm__ volatile(code : "+" kind(value) : : "cc");     \
		return result;                                             \
	}

#define GENERAL(name) \
	AROUND_A_LOOP(register_##name, uint64_t, #name, seed * 77 + 1, "leaq 3(%0, %0, 2), %0", "r", value)
GENERAL(rax)
GENERAL(rcx)
GENERAL(rdx)
GENERAL(rsi)
GENERAL(rdi)
GENERAL(r8)
GENERAL(r9)
GENERAL(r10)
GENERAL(r11)

TEST(register_st)
{
	long double value = 1.0L / ((long double)seed + 3);
	for (uint64_t i = 0; i < hidden(400); i++)
		__asm__ volatile("fchs" : "+t"(value));
	return (uint64_t)(value * 1e18L);
}

/* Each part of a vector counts. */
__attribute__((always_inline)) static inline uint64_t mix_all(const uint64_t *words, unsigned count)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < count; i++)
		sum = mix(sum, words[i]);
	return sum;
}

#define START_4(seed) ((v4){(uint32_t)seed, 1, 2, 3})
#define RESULT(type, count)        \
	({                             \
		union {                    \
			type vector;           \
			uint64_t words[count]; \
		} all = {value};           \
		mix_all(all.words, count); \
	})
#define VECTOR(name) \
	AROUND_A_LOOP(register_##name, v4, #name, START_4(seed), "pshufd $0x39, %0, %0", "x", RESULT(v4, 2))
VECTOR(xmm0)
VECTOR(xmm1)
VECTOR(xmm2)
VECTOR(xmm3)
VECTOR(xmm4)
VECTOR(xmm5)
VECTOR(xmm6)
VECTOR(xmm7)
VECTOR(xmm8)
VECTOR(xmm9)
VECTOR(xmm10)
VECTOR(xmm11)
VECTOR(xmm12)
VECTOR(xmm13)
VECTOR(xmm14)
VECTOR(xmm15)

#ifdef __AVX2__

#	define WIDE(name)                                                                                       \
		AROUND_A_LOOP(register_##name##_256, v8, #name, ((v8){seed, 1, 2, 3}), "vpshufd $0x39, %0, %0", "x", \
		              RESULT(v8, 4))
WIDE(xmm0)
WIDE(xmm7)
WIDE(xmm8)
WIDE(xmm15)

#endif
#ifdef __AVX512BW__

#	define WIDEST(name)                                                                     \
		AROUND_A_LOOP(register_##name##_512, v16, #name, ((v16){seed, 1, 2, 3, 4, 5, 6, 7}), \
		              "vpshufd $0x39, %0, %0", "v", RESULT(v16, 8))
WIDEST(xmm3)
WIDEST(xmm12)
WIDEST(xmm16)
WIDEST(xmm31)

#	define UPPER(name) \
		AROUND_A_LOOP(register_##name, v4, #name, START_4(seed), "vpshufd $0x39, %0, %0", "v", RESULT(v4, 2))
UPPER(xmm16)
UPPER(xmm17)
UPPER(xmm18)
UPPER(xmm19)
UPPER(xmm20)
UPPER(xmm21)
UPPER(xmm22)
UPPER(xmm23)
UPPER(xmm24)
UPPER(xmm25)
UPPER(xmm26)
UPPER(xmm27)
UPPER(xmm28)
UPPER(xmm29)
UPPER(xmm30)
UPPER(xmm31)

#	define MASK(name) \
		AROUND_A_LOOP(register_##name, uint64_t, #name, seed * 77 + 1, "knotq %0, %0", "k", value)
MASK(k0)
MASK(k1)
MASK(k2)
MASK(k3)
MASK(k4)
MASK(k5)
MASK(k6)
MASK(k7)

#endif
