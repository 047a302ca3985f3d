/*
 * Workloads of `checks` that decide and call: recursion, strings and interpreter.
 */
#include "user/bench/checks.h"

/* recursion: the number of ways to place queens without a threat (2680 for 11), and Fibonacci's 24th number (46368),
 * both recursive. */
#define RECURSION_QUEENS    11
#define RECURSION_FIBONACCI 24

struct recursion_memory {
	unsigned queens, fibonacci;
};
WORKLOAD_FITS(recursion_memory);

static void recursion_prepare(void *memory)
{
	*(struct recursion_memory *)memory = (struct recursion_memory){RECURSION_QUEENS, RECURSION_FIBONACCI};
}

/* The bits are columns: the taken ones, and those threatened in this row along either diagonal. */
static uint64_t queens_count(uint32_t all, uint32_t taken, uint32_t left, uint32_t right)
{
	uint32_t allowed = all & ~(taken | left | right);
	uint64_t ways = taken == all;
	while (allowed) {
		uint32_t column = allowed & -allowed;
		allowed -= column;
		ways += queens_count(all, taken | column, (left | column) << 1, (right | column) >> 1);
	}
	return ways;
}

static uint64_t fibonacci(unsigned number)
{
	return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
}

static uint64_t recursion_round(void *memory)
{
	const struct recursion_memory *recursion = memory;
	return queens_count((1u << recursion->queens) - 1, 0, 0, 0) * 100000 + fibonacci(recursion->fibonacci);
}

/* Queens: one call for each of the 166,926 ways to place the first few; Fibonacci: 2 F(25) - 1. */
const struct workload workload_recursion = {"recursion", recursion_prepare, recursion_round, 166926 + 150049,
                                            268046368};

/* strings: find the words of a text, turn them into capitals, copy them, and compare each with the greatest so
 * far. */
#define STRINGS_LENGTH 524288
#define WORD_MAXIMUM   32

struct strings_memory {
	char text[STRINGS_LENGTH + 1];
	char word[WORD_MAXIMUM], greatest[WORD_MAXIMUM];
};
WORKLOAD_FITS(strings_memory);

static void strings_prepare(void *memory)
{
	struct strings_memory *strings = memory;
	uint64_t state = 1;
	size_t rest = 0; /* of the word */
	for (size_t i = 0; i < STRINGS_LENGTH; i++) {
		strings->text[i] = (char)(rest ? 'a' + random_next(&state) % 26 : ' ');
		rest = rest ? rest - 1 : 1 + random_next(&state) % 12;
	}
	strings->text[STRINGS_LENGTH] = 0;
}

/* Copy the word at `from` in capitals; returns the end of the word in the text. */
static const char *word_copy(char *to, const char *from)
{
	for (; *from && *from != ' '; from++)
		*to++ = *from >= 'a' && *from <= 'z' ? (char)(*from - 'a' + 'A') : *from;
	*to = 0;
	return from;
}

static int word_compare(const char *left, const char *right)
{
	while (*left && *left == *right) {
		left++;
		right++;
	}
	return *left - *right;
}

static uint64_t strings_round(void *memory)
{
	struct strings_memory *strings = memory;
	const char *rest = strings->text;
	uint64_t checksum = 0;
	strings->greatest[0] = 0;
	while (*rest) {
		while (*rest == ' ')
			rest++;
		const char *end = word_copy(strings->word, rest);
		checksum = checksum_add(checksum, (uint64_t)(end - rest));
		rest = end;
		if (word_compare(strings->word, strings->greatest) > 0)
			word_copy(strings->greatest, strings->word);
	}
	for (const char *character = strings->greatest; *character; character++)
		checksum = checksum_add(checksum, (unsigned char)*character);
	return checksum;
}

const struct workload workload_strings = {"strings", strings_prepare, strings_round, STRINGS_LENGTH,
                                          11849272787047556116u};

/* interpreter: a stack machine adds up the steps of Collatz's sequence from each start down to 1. The interpreter
 * jumps from one instruction to the next through a table of labels. */
#define INTERPRETER_START 1500

enum operation { PUSH, LOAD, STORE, ADD, MULTIPLY, HALVE, JUMP, JUMP_IF_ONE, JUMP_IF_ODD, STOP };
enum variable { START, NUMBER, STEPS, VARIABLES };

struct instruction {
	uint8_t operation;
	int8_t operand; /* a number, a variable, or the instruction to jump to */
};

static const struct instruction collatz[] = {
    /*  0: number = start */
    {LOAD, START},
    {STORE, NUMBER},
    /*  2: while number is not 1: count a step */
    {LOAD, NUMBER},
    {JUMP_IF_ONE, 21},
    {LOAD, STEPS},
    {PUSH, 1},
    {ADD, 0},
    {STORE, STEPS},
    /*  8: if number is even: halve it */
    {LOAD, NUMBER},
    {JUMP_IF_ODD, 14},
    {LOAD, NUMBER},
    {HALVE, 0},
    {STORE, NUMBER},
    {JUMP, 2},
    /* 14: else number = 3 number + 1 */
    {LOAD, NUMBER},
    {PUSH, 3},
    {MULTIPLY, 0},
    {PUSH, 1},
    {ADD, 0},
    {STORE, NUMBER},
    {JUMP, 2},
    /* 21: until start was 1 */
    {LOAD, START},
    {JUMP_IF_ONE, 28},
    {LOAD, START},
    {PUSH, -1},
    {ADD, 0},
    {STORE, START},
    {JUMP, 0},
    /* 28: */
    {STOP, 0},
};

struct interpreter_memory {
	struct instruction program[sizeof(collatz) / sizeof(collatz[0])];
	int64_t variables[VARIABLES], stack[8];
};
WORKLOAD_FITS(interpreter_memory);

static void interpreter_prepare(void *memory)
{
	struct interpreter_memory *interpreter = memory;
	for (size_t i = 0; i < sizeof(collatz) / sizeof(collatz[0]); i++)
		interpreter->program[i] = collatz[i];
}

static void interpret(const struct instruction *program, int64_t *variables, int64_t *stack)
{
	static const void *const labels[] = {&&push,  &&load, &&store,       &&add,         &&multiply,
	                                     &&halve, &&jump, &&jump_if_one, &&jump_if_odd, &&stop};
	const struct instruction *next = program;
	int operand;
#define NEXT()               \
	operand = next->operand; \
	goto *labels[next++->operation]
	NEXT();
push:
	*++stack = operand;
	NEXT();
load:
	*++stack = variables[operand];
	NEXT();
store:
	variables[operand] = *stack--;
	NEXT();
add:
	stack--;
	*stack += stack[1];
	NEXT();
multiply:
	stack--;
	*stack *= stack[1];
	NEXT();
halve:
	*stack /= 2;
	NEXT();
jump:
	next = program + operand;
	NEXT();
jump_if_one:
	if (*stack-- == 1)
		next = program + operand;
	NEXT();
jump_if_odd:
	if (*stack-- % 2)
		next = program + operand;
	NEXT();
stop:
	return;
#undef NEXT
}

static uint64_t interpreter_round(void *memory)
{
	struct interpreter_memory *interpreter = memory;
	interpreter->variables[START] = INTERPRETER_START;
	interpreter->variables[STEPS] = 0;
	interpret(interpreter->program, interpreter->variables, interpreter->stack);
	return (uint64_t)interpreter->variables[STEPS];
}

const struct workload workload_interpreter = {"interpreter", interpreter_prepare, interpreter_round, 1259834,
                                              95708};
