/*
 * The stub that checks call (arch/x86_64/quantum.asm) saves exactly the registers that the words behind the call
 * name. With every register filled, many pairs of words are tried: the named registers keep their values, all others
 * are destroyed by the scrambling below. Prints a line "wrong ..." for each complaint, and at last how many words
 * were tried.
 */
#include "harness.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GENERAL         9
#define VECTORS         32
#define MASKS           8
#define X87_BIT         9
#define VECTOR_BIT      10
#define WIDTH_BIT       26
#define SECOND_BIT      31
#define MASK_BIT        16
#define RANDOM_TRIES    2000
#define COMPLAINTS      20
#define X87_ENVIRONMENT 28
#define X87_EMPTY       0xffff

/* As stub.asm knows it. */
struct registers {
	uint64_t general[GENERAL];
	uint64_t preserved[6];
	uint64_t masks[MASKS];
	struct {
		uint32_t control, status, tags, pointers[4];
		uint8_t values[80];
		uint32_t unused;
	} x87;
	uint32_t mxcsr;
	_Alignas(64) uint8_t vectors[VECTORS][64];
};
_Static_assert(offsetof(struct registers, x87) == 184, "stub.asm knows another place");
_Static_assert(offsetof(struct registers, mxcsr) == 296, "stub.asm knows another place");
_Static_assert(offsetof(struct registers, vectors) == 320, "stub.asm knows another place");

bool stub_call(const void *code, const struct registers *before, struct registers *after, uint64_t bytes,
               uint64_t level);
void heddle_quantum_spent(void);

static unsigned char *code;
static unsigned complaints, tries;

static uint64_t random_next(void)
{
	static uint64_t state = 1;
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return state >> 32 | state << 32;
}

/* The cold path of a check, then a return. */
static void code_write(uint32_t first, uint32_t second)
{
	static const unsigned char nop[] = {0x0f, 0x1f, 0x80};
	unsigned char *at = code;
	*at++ = 0xe8;
	int32_t distance = (int32_t)((intptr_t)heddle_quantum_spent - (intptr_t)(at + 4));
	memcpy(at, &distance, 4);
	memcpy(at += 4, nop, sizeof nop);
	memcpy(at += sizeof nop, &first, 4);
	at += 4;
	if (first >> SECOND_BIT & 1) {
		memcpy(at, nop, sizeof nop);
		memcpy(at += sizeof nop, &second, 4);
		at += 4;
	}
	*at = 0xc3;
}

static void complain(uint32_t first, uint32_t second, const char *what, int number, bool live)
{
	if (complaints++ < COMPLAINTS)
		printf("wrong stub: words %08" PRIx32 " %08" PRIx32 ": %s %d %s\n", first, second, what, number,
		       live ? "is live and came back as another" : "is not live, and yet was saved");
}

static void compare(uint32_t first, uint32_t second, const struct registers *before,
                    const struct registers *after)
{
	static const size_t sizes[] = {16, 32, 64};
	size_t size = sizes[first >> WIDTH_BIT & 3];
	for (int i = 0; i < GENERAL; i++)
		if ((before->general[i] == after->general[i]) != (first >> i & 1))
			complain(first, second, "general register", i, first >> i & 1);
	for (int i = 0; i < 5; i++)
		if (before->preserved[i] != after->preserved[i])
			complain(first, second, "preserved register", i, true);
	for (int i = 0; i < (scramble_level == 2 ? VECTORS : VECTORS / 2); i++) {
		bool live = (i < 16 ? first >> (VECTOR_BIT + i) : second >> (i - 16)) & 1;
		size_t bytes = i < 16 ? size : 64;
		if ((memcmp(before->vectors[i], after->vectors[i], live ? bytes : 16) == 0) != live)
			complain(first, second, "vector register", i, live);
	}
	for (int i = 0; scramble_level == 2 && i < MASKS; i++)
		if ((before->masks[i] == after->masks[i]) != (second >> (MASK_BIT + i) & 1))
			complain(first, second, "mask register", i, second >> (MASK_BIT + i) & 1);
	if (after->preserved[5] != (uint32_t)harness_block.quantum)
		complain(first, second, "the counter, register", 15, true);
	bool same = (after->x87.tags & 0xffff) == (before->x87.tags & 0xffff);
	if (first >> X87_BIT & 1)
		same = same && memcmp(before->x87.values, after->x87.values, sizeof before->x87.values) == 0;
	if (!same || (before->x87.control & 0xffff) != (after->x87.control & 0xffff))
		complain(first, second, "x87 state", 0, true);
}

static void fill(struct registers *registers, bool x87_live)
{
	unsigned char *bytes = (unsigned char *)registers;
	for (size_t i = 0; i < sizeof *registers; i++)
		bytes[i] = (unsigned char)(random_next() >> 8);
	memset(&registers->x87, 0, sizeof registers->x87);
	registers->x87.control = 0x37f;
	registers->x87.tags = x87_live ? 0 : X87_EMPTY;
	for (int i = 0; i < 8; i++) {
		long double value = (long double)(int64_t)(random_next() | 1) / 3;
		if (x87_live)
			memcpy(registers->x87.values + 10 * i, &value, 10);
	}
}

static void try(uint32_t first, uint32_t second)
{
	static struct registers before, after;
	if (scramble_level < 2)
		second = 0;
	if (scramble_level < (first >> WIDTH_BIT & 3))
		first &= ~(UINT32_C(3) << WIDTH_BIT);
	first = second ? first | UINT32_C(1) << SECOND_BIT : first & ~(UINT32_C(1) << SECOND_BIT);
	fill(&before, first >> X87_BIT & 1);
	code_write(first, second);
	/* One that is spent, so that the stub calls whatever the register holds; the other bits are random. */
	harness_set_counter(QUANTUM_COUNTER_SPENT | (int32_t)(random_next() >> 33));
	uint64_t checks = harness_checks;
	if (!stub_call(code, &before, &after, tries++ % 16 * 8, scramble_level))
		printf("wrong stub: words %08" PRIx32 " %08" PRIx32 ": the stack pointer changed\n", first, second);
	if (harness_checks != checks + 1)
		printf("wrong stub: words %08" PRIx32 ": quantum_spent() was not called once\n", first);
	compare(first, second, &before, &after);
}

int main(void)
{
	/* Behind this program, so that a call reaches the stub. */
	code = mmap((void *)(((uintptr_t)heddle_quantum_spent + (64 << 20)) & ~UINT64_C(0xffff)), 4096,
	            PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED) {
		puts("wrong stub: Linux gives no memory that can be written and run");
		return EXIT_FAILURE;
	}
	for (uint32_t width = 0; width < 3; width++) {
		uint32_t all = 0x03ffffff | width << WIDTH_BIT;
		try(width << WIDTH_BIT, 0);
		try(all, 0);
		try(all, 0x00ffffff);
		for (int bit = 0; bit < 26; bit++) {
			try(all & ~(UINT32_C(1) << bit), 0x00ffffff);
			try(UINT32_C(1) << bit | width << WIDTH_BIT, 0);
		}
		for (int bit = 0; bit < 24; bit++) {
			try(all, 0x00ffffff & ~(UINT32_C(1) << bit));
			try(width << WIDTH_BIT, UINT32_C(1) << bit);
		}
	}
	for (int i = 0; i < RANDOM_TRIES; i++)
		try(((uint32_t)random_next() & 0x03ffffff) | (uint32_t)(i % 3) << WIDTH_BIT,
		    random_next() & 0x00ffffff);
	printf("tried %u words\n", tries);
	return complaints ? EXIT_FAILURE : EXIT_SUCCESS;
}
