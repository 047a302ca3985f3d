/* Jumps that make loops without one beginning, or whose targets are computed. */
#include "driver.h"

TEST(jump_into_a_loop)
{
	uint64_t sum = seed, i = 0;
	if (seed & 1)
		goto middle;
	for (i = 0; i < hidden(200); i++) {
		sum = mix(sum, 3);
	middle:
		sum = mix(sum, i);
	}
	return sum;
}

/* A loop with two entries: neither part is the beginning. */
TEST(jump_irreducible)
{
	uint64_t sum = seed, left = 300;
	if (hidden(seed) & 1)
		goto second;
first:
	sum = mix(sum, 1);
	if (--left == 0)
		return sum;
second:
	sum = mix(sum, 2);
	if (sum % 7 == 0)
		goto second;
	if (left)
		goto first;
	return ~sum;
}

/* Three parts, each of which goes to both others, entered anywhere. */
TEST(jump_irreducible_three)
{
	uint64_t sum = seed, left = 400;
	switch (seed % 3) {
	case 0:
		goto a;
	case 1:
		goto b;
	default:
		goto c;
	}
a:
	sum = mix(sum, 11);
	if (!left--)
		return sum;
	if (sum & 4)
		goto c;
b:
	sum = mix(sum, 12);
	if (!left--)
		return sum + 1;
	if (sum & 8)
		goto a;
c:
	sum = mix(sum, 13);
	if (!left--)
		return sum + 2;
	if (sum & 16)
		goto b;
	goto a;
}

TEST(jump_backwards_only)
{
	uint64_t sum = seed, i = 0;
	goto test;
body:
	sum = mix(sum, i++);
test:
	if (i < hidden(250))
		goto body;
	return sum;
}

/* A copy loop that is entered in its middle through a switch. */
TEST(jump_unrolled_by_hand)
{
	uint64_t words[103], sum = seed, *to = words;
	uint64_t count = 90 + seed, rounds = (count + 7) / 8;
	switch (count % 8) {
	case 0:
		do {
			*to++ = sum += 3;
			__attribute__((fallthrough));
		case 7:
			*to++ = sum ^= 7;
			__attribute__((fallthrough));
		case 6:
			*to++ = sum *= 5;
			__attribute__((fallthrough));
		case 5:
			*to++ = sum += 5;
			__attribute__((fallthrough));
		case 4:
			*to++ = sum -= 4;
			__attribute__((fallthrough));
		case 3:
			*to++ = sum ^= sum >> 9;
			__attribute__((fallthrough));
		case 2:
			*to++ = sum += 2;
			__attribute__((fallthrough));
		case 1:
			*to++ = sum *= 3;
		} while (--rounds);
	}
	for (uint64_t i = 0; i < count; i++)
		sum = mix(sum, words[i]);
	return sum;
}

enum { HALT, ADD, MULTIPLY, SHIFT, DECREMENT, JUMP, SWAP, ROTATE };

static const unsigned char byte_code[] = {ADD,       MULTIPLY, SWAP, SHIFT, ROTATE, ADD,
                                          DECREMENT, JUMP,     ADD,  SWAP,  HALT};

/* An interpreter whose every instruction jumps to the next one's code. */
TEST(jump_computed)
{
	static void *const labels[] = {&&halt, &&add, &&multiply, &&shift, &&decrement, &&jump, &&swap, &&rotate};
	const unsigned char *next = byte_code;
	uint64_t a = seed, b = 0x12345, count = 80, other;
#define NEXT goto *labels[*next++]
	NEXT;
add:
	a += b;
	NEXT;
multiply:
	a *= b | 1;
	NEXT;
shift:
	a ^= a >> 13;
	NEXT;
decrement:
	count--;
	NEXT;
jump:
	if (count)
		next = byte_code;
	NEXT;
swap:
	other = a;
	a = b;
	b = other;
	NEXT;
rotate:
	b = b << 7 | b >> 57;
	NEXT;
halt:
#undef NEXT
	return mix(a, b);
}

static NOINLINE uint64_t interpret(const unsigned char *code, uint64_t a, uint64_t count)
{
	uint64_t b = 0x54321, other;
	for (uint64_t at = 0;;)
		switch (code[at++]) {
		case HALT:
			return mix(a, b);
		case ADD:
			a += b;
			break;
		case MULTIPLY:
			a *= b | 1;
			break;
		case SHIFT:
			a ^= a >> 13;
			break;
		case DECREMENT:
			count--;
			break;
		case JUMP:
			if (count)
				at = 0;
			break;
		case SWAP:
			other = a;
			a = b;
			b = other;
			break;
		default:
			b = b << 7 | b >> 57;
		}
}

TEST(jump_switch_interpreter)
{
	return interpret(byte_code, seed, 80);
}

TEST(jump_switch_table)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(300); i++)
		switch (sum % 13) {
		case 0:
			sum += 1;
			break;
		case 1:
			sum = mix(sum, 4);
			break;
		case 2:
			sum ^= sum << 3;
			__attribute__((fallthrough));
		case 3:
			sum *= 9;
			break;
		case 5:
		case 6:
			sum = ~sum;
			continue;
		case 7:
			sum = mix(sum, i);
			break;
		case 8:
			if (i > 250)
				return sum;
			sum = sum >> 1 | sum << 63;
			break;
		case 11:
			sum -= i;
			break;
		default:
			sum = mix(sum, 99);
		}
	return sum;
}

/* Cases far from each other: a tree of comparisons instead of a table. */
TEST(jump_switch_sparse)
{
	uint64_t sum = seed;
	for (uint64_t i = 0; i < hidden(200); i++) {
		switch (sum % 5000) {
		case 0 ... 40:
			sum += 17;
			break;
		case 400 ... 900:
			sum = mix(sum, 2);
			break;
		case 2000 ... 3000:
			sum ^= UINT64_C(0x100000001);
			break;
		case 4999:
			return sum;
		}
		sum = mix(sum, i);
	}
	return sum;
}

/* A state machine made of gotos alone: does a text match (ab*c|d+)*? */
static NOINLINE int match(const char *text)
{
outside:
	switch (*text++) {
	case 'a':
		goto behind_a;
	case 'd':
		goto behind_d;
	default:
		return text[-1] == 0;
	}
behind_a:
	switch (*text++) {
	case 'b':
		goto behind_a;
	case 'c':
		goto outside;
	default:
		return 0;
	}
behind_d:
	switch (*text++) {
	case 'd':
		goto behind_d;
	case 'a':
		goto behind_a;
	default:
		return text[-1] == 0;
	}
}

TEST(jump_state_machine)
{
	static const char *const texts[] = {"acabbbbbbbbcddd",    "abab", "", "dddddddddddddac",
	                                    "abbbbbbbbbbbbbbbbc", "x"};
	uint64_t sum = seed;
	for (int i = 0; i < 6; i++)
		sum = sum * 2 + (uint64_t)match(texts[(i + seed) % 6]);
	return sum;
}
