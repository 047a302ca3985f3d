/*
 * Ordinary C that needs much of its stack: large arguments, arrays of variable length, vectors.
 */
#include "cases.h"
#include "outside.h"

/* --------------------------------------------------------------------------------------------- arguments -- */

__attribute__((noipa)) static unsigned take_back(struct large value, void *argument)
{
	linger(*(unsigned *)argument);
	return value.bytes[0] + *(unsigned *)argument;
}

__attribute__((noipa)) static unsigned descend(struct large value, unsigned number, unsigned depth)
{
	linger(number);
	if (depth == 0)
		return outside_call(take_back, value, &number);
	value.bytes[depth]++;
	return descend(value, number, depth - 1) + value.bytes[depth];
}

static bool passes_structures(unsigned number)
{
	struct large value;
	unsigned depth = 20 + number;
	memset(&value, (int)number, sizeof(value));
	unsigned found = descend(value, number, depth),
	         wanted = depth * (number + 1) + 2 * number + 500 * number + depth;
	return found == wanted && outside_sum(value) == 500 * number;
}

/* ------------------------------------------------------------------------------- jumps of foreign code's -- */

static unsigned jump_with(struct large value, void *place)
{
	longjmp(*(jmp_buf *)place, 1 + value.bytes[0]);
}

static void jump(jmp_buf *place)
{
	longjmp(*place, 1);
}

/* Leaves foreign code, too, which the place has called through us. */
static void jump_far(jmp_buf *place)
{
	struct large value = {{0}};
	outside_call(jump_with, value, place);
}

static void jump_not(jmp_buf *place)
{
	(void)place;
}

/* Afterwards the stack is the task's again, and the task can be switched. */
static bool jumps_in_foreign_code(unsigned number)
{
	for (unsigned round = 0; round < ROUNDS; round++)
		if (!outside_land(number % 2 ? jump : jump_far) || outside_land(jump_not) ||
		    !passes_structures(number))
			return false;
	return true;
}

/* ----------------------------------------------------------------------------------------------- arrays -- */

#define ARRAY_TURNS 200 /* in total several times what a stack may grow by */
#define DEPTHS      130 /* with the smallest frames there are, more than a small piece of stack has */

static unsigned char *volatile seen;

static void fill(unsigned char *bytes, size_t count, unsigned value)
{
	memset(bytes, (int)value, count);
	seen = bytes;
}

static bool is_full(const unsigned char *bytes, size_t count, unsigned value)
{
	for (size_t i = 0; i < count; i += 100)
		if (bytes[i] != (unsigned char)value)
			return false;
	return bytes[count - 1] == (unsigned char)value;
}

static bool nests_arrays(unsigned number)
{
	for (unsigned turn = 0; turn < ARRAY_TURNS; turn++) {
		unsigned char outer[3000 + (number + turn) % 7];
		fill(outer, sizeof(outer), number + turn);
		for (unsigned round = 0; round < 3; round++) {
			unsigned char inner[sizeof(outer) / 2], beside[100 + round];
			fill(inner, sizeof(inner), round);
			fill(beside, sizeof(beside), round + 1);
			if (!is_full(inner, sizeof(inner), round))
				return false;
		}
		if (!is_full(outer, sizeof(outer), number + turn))
			return false;
	}
	linger(number);
	return true;
}

__attribute__((noipa)) static bool jump_among_arrays(unsigned number)
{
	unsigned turn = 0;
again:
	turn++;
	{
		unsigned char first[2000 + number % 3 + turn % 5];
		fill(first, sizeof(first), turn);
		if (turn % 3 == 0)
			goto again;
		unsigned char second[1500 + turn % 5];
		fill(second, sizeof(second), turn + 1);
		if (!is_full(first, sizeof(first), turn) || !is_full(second, sizeof(second), turn + 1))
			return false;
		if (turn < ARRAY_TURNS)
			goto again;
	}
	return true;
}

/* Little may be left of a piece of the stack. */
__attribute__((noipa)) static bool jump_below(unsigned depth, unsigned number)
{
	bool right = depth == 0 ? jump_among_arrays(number) : jump_below(depth - 1, number);
	return right && seen;
}

static bool jumps_among_arrays(unsigned number)
{
	bool right = true;
	for (unsigned depth = 0; depth < DEPTHS; depth++) {
		right &= jump_below(depth, number);
		linger(number);
	}
	return right;
}

/* Whatever an array has left of the stack. */
__attribute__((noipa)) static unsigned pass_beside_array(struct large value, unsigned number, size_t bytes)
{
	unsigned char array[bytes];
	fill(array, bytes, number);
	unsigned sum = take_back(value, &number) + outside_sum(value);
	return sum + !is_full(array, bytes, number);
}

static bool passes_beside_arrays(unsigned number)
{
	struct large value;
	memset(&value, 1, sizeof(value));
	for (size_t bytes = 16; bytes < 3000; bytes += 48)
		if (pass_beside_array(value, number, bytes) != 1 + number + sizeof(value))
			return false;
	return true;
}

/* ----------------------------------------------------------------------------------------------- vectors -- */

typedef double vector __attribute__((vector_size(32)));

#define AVX __attribute__((noipa, target("avx")))

AVX static double add(unsigned number, vector a, vector b, vector c, vector d, vector e, vector f, vector g,
                      vector h)
{
	linger(number);
	vector sum = a + b + c + d + e + f + g + h;
	return sum[0] + sum[1] + sum[2] + sum[3];
}

AVX static double pass_on(unsigned number, vector a, vector b, vector c, vector d, vector e, vector f,
                          vector g, vector h)
{
	return add(number, a, b, c, d, e, f, g, h) + 1;
}

AVX static bool pass_vectors(unsigned number)
{
	vector of = {number, number + 1, number + 2, number + 3};
	return pass_on(number, of, of, of, of, of, of, of, of) == 8 * (4 * number + 6) + 1;
}

static bool passes_vectors(unsigned number)
{
	if (__builtin_cpu_supports("avx"))
		return pass_vectors(number);
	linger(number);
	return true;
}

int main(int count, char **arguments)
{
	static const struct test_case cases[] = {{"large structures", passes_structures, MEETS},
	                                         {"jumps in foreign code", jumps_in_foreign_code, MEETS},
	                                         {"arrays in arrays", nests_arrays, MEETS},
	                                         {"jumps among arrays", jumps_among_arrays, MEETS},
	                                         {"structures beside arrays", passes_beside_arrays, MEETS},
	                                         {"vectors", passes_vectors, MEETS},
	                                         {0}};
	int status = cases_main(cases, count, arguments);
	printf("frames: %d\n", status);
	return status;
}
