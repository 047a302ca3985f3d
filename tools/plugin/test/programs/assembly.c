/* Inline assembly: what it takes, changes and destroys is known to the compiler, so the checks around it must
 * agree. */
#include "driver.h"

TEST(assembly_clobbers)
{
	uint64_t sum = seed, a = 1, b = 2, c = 3;
	for (uint64_t i = 0; i < hidden(60); i++) {
		__asm__ volatile(""
		                 :
		                 :
		                 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory");
		a = mix(a, sum);
		__asm__ volatile("" : : : "rbx", "r12", "r13", "r14");
		b = mix(b, a);
		__asm__ volatile(""
		                 :
		                 :
		                 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm15");
		c = mix(c, b);
		__asm__ volatile("" : : : "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
		sum = mix(sum, c);
	}
	return sum;
}

/* Fixed registers around the loop. */
TEST(assembly_fixed_registers)
{
	uint64_t a = seed, c = 1, d = 2, from = 3, to = 4;
	register uint64_t r8 __asm__("r8") = 5;
	register uint64_t r9 __asm__("r9") = 6;
	register uint64_t r10 __asm__("r10") = 7;
	register uint64_t r11 __asm__("r11") = 8;
	for (uint64_t i = 0; i < hidden(100); i++)
		__asm__ volatile("addq %1, %0\n\trolq $7, %1\n\txorq %3, %2\n\taddq %4, %3\n\tsubq %5, %4\n\t"
		                 "rolq $3, %5\n\taddq %7, %6\n\txorq %8, %7\n\tsubq %0, %8"
		                 : "+a"(a), "+c"(c), "+d"(d), "+S"(from), "+D"(to), "+r"(r8), "+r"(r9), "+r"(r10),
		                   "+r"(r11)
		                 :
		                 : "cc");
	return a ^ c ^ d ^ from ^ to ^ r8 ^ r9 ^ r10 ^ r11;
}

/* Flags that come out of assembly and are used by the compiler. */
TEST(assembly_flags)
{
	uint64_t sum = seed, value = seed * 3 + 1;
	for (uint64_t i = 0; i < hidden(120); i++) {
		int carry, zero, sign, overflow;
		__asm__("addq %5, %0"
		        : "+r"(value), "=@ccc"(carry), "=@ccz"(zero), "=@ccs"(sign), "=@cco"(overflow)
		        : "r"(sum));
		sum = mix(sum, (uint64_t)(carry + 2 * zero + 4 * sign + 8 * overflow));
		if (carry)
			value ^= sum;
	}
	return sum;
}

/* Jumps out of assembly, forwards and backwards. */
TEST(assembly_jumps)
{
	uint64_t sum = seed, left = hidden(100);
again:
	sum = mix(sum, left);
	__asm__ goto("testq $3, %0\n\tjz %l[third]" : : "r"(sum) : "cc" : third);
	sum += 5;
	left--;
	__asm__ goto("testq %0, %0\n\tjnz %l[again]" : : "r"(left) : "cc" : again);
	return sum;
third:
	if (left-- > 1)
		goto again;
	return ~sum;
}

/* A loop that the plugin does not see. */
TEST_OF_KIND(assembly_loop, TEST_OPAQUE)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(20); i++) {
		uint64_t count = 50 + i;
		__asm__ volatile("1: addq %1, %0\n\trolq $5, %0\n\tdecq %1\n\tjnz 1b"
		                 : "+r"(sum), "+r"(count)
		                 :
		                 : "cc");
	}
	return sum;
}

/* Changes memory that only "memory" says. */
TEST(assembly_memory)
{
	uint64_t words[4] = {seed, 1, 2, 3}, *at = words;
	uint64_t sum = 0;
	for (uint64_t i = 0; i < hidden(50); i++) {
		__asm__ volatile("incq (%0)\n\taddq $5, 8(%0)" : : "r"(at) : "memory", "cc");
		sum = mix(sum, words[0] + words[1]);
		words[2] += sum;
		__asm__ volatile("xchgq %0, %1" : "+m"(words[2]), "+r"(sum));
	}
	return sum ^ words[3];
}

/* Division and multiplication fix rax and rdx; shifts fix rcx. */
TEST(assembly_implicit_registers)
{
	uint64_t low = seed + 1, high = 0, sum = 0;
	for (uint64_t i = 1; i < hidden(80); i++) {
		__asm__("mulq %2" : "+a"(low), "=d"(high) : "r"(i * UINT64_C(0x123456789abcdef)) : "cc");
		__asm__("shldq %%cl, %1, %0" : "+r"(sum) : "r"(low), "c"(i) : "cc");
		uint64_t rest = high % (i + 1), quotient = low;
		__asm__("divq %2" : "+a"(quotient), "+d"(rest) : "r"(i + 1) : "cc");
		sum = mix(sum, quotient + rest);
		low |= 1;
	}
	return sum ^ low ^ high;
}

#ifdef __AVX512BW__

typedef uint64_t v8 __attribute__((vector_size(64)));

/* All mask registers, of 64 bits, beside more vectors than registers 0 to 15, over each check of a loop. */
TEST(assembly_masks)
{
	uint64_t masks[8], sum = 0;
	v8 a[24];
	for (uint64_t i = 0; i < 8; i++)
		masks[i] = mix(seed, i);
	for (uint64_t i = 0; i < 24; i++)
		a[i] = (v8){i, i + 1, seed, 9};
	for (uint64_t turn = 0; turn < hidden(80); turn++) {
		__asm__ volatile("kaddq %1, %0, %0\n\tkxorq %2, %1, %1\n\tkaddq %3, %2, %2\n\tkxnorq %4, %3, %3\n\t"
		                 "kaddq %5, %4, %4\n\tkxorq %6, %5, %5\n\tkaddq %7, %6, %6\n\tkxorq %0, %7, %7"
		                 : "+k"(masks[0]), "+k"(masks[1]), "+k"(masks[2]), "+k"(masks[3]), "+k"(masks[4]),
		                   "+k"(masks[5]), "+k"(masks[6]), "+k"(masks[7]));
#	pragma GCC unroll 24
		for (int i = 0; i < 24; i++)
			a[i] = a[i] * 3 + a[(i + 1) % 24];
	}
	for (int i = 0; i < 24; i++)
		sum = mix(sum, a[i][0] ^ a[i][1] ^ a[i][2] ^ a[i][7]);
	for (int i = 0; i < 8; i++)
		sum = mix(sum, masks[i]);
	return sum;
}

#endif
