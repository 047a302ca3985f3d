/*
 * The sum of the numbers from `size` down to 1, which a generator yields one by one (switching paper, Figure 12),
 * compared with a loop, and with a function that is called for each number.
 */
#include "heddle/generator.h"
#include "heddle/program.h"
#include "user/bench/generators.h"

/* Producer and consumer do not know each other's code. */
#define APART __attribute__((noinline, noclone))

APART static uint64_t sum_loop(uint64_t size)
{
	volatile uint64_t sum = 0;
	for (; size > 0; size--)
		sum += size;
	return sum;
}

APART static void call_back(uint64_t size, void (*function)(void *argument, uint64_t value), void *argument)
{
	for (; size > 0; size--)
		function(argument, size);
}

APART static void add(void *sum, uint64_t value)
{
	*(uint64_t *)sum += value;
}

APART static uint64_t sum_callback(uint64_t size)
{
	uint64_t sum = 0;
	call_back(size, add, &sum);
	return sum;
}

APART static void count_down(struct generator_body *self, void *size)
{
	for (uintptr_t i = (uintptr_t)size; i > 0; i--)
		generator_yield(self, (intptr_t)i);
}

APART static uint64_t sum_generator(void *stack, size_t bytes, uint64_t size)
{
	struct generator numbers;
	uint64_t sum = 0;
	if (generator_create(&numbers, stack, bytes, count_down, (void *)size) != HEDDLE_OK)
		return 0;
	while (generator_resume(&numbers) == HEDDLE_OK)
		sum += (uint64_t)generator_value(&numbers);
	generator_destroy(&numbers);
	return sum;
}

static uint64_t sum_in_stack(uint64_t size)
{
	char stack[GENERATORS_STACK];
	return sum_generator(stack, sizeof(stack), size);
}

static uint64_t sum_own_stack(uint64_t size)
{
	return sum_generator(NULL, 0, size);
}

static bool run(struct program_run *run)
{
	static const struct generators_form forms[] = {{"loop", sum_loop},
	                                               {"callback", sum_callback},
	                                               {"in-stack", sum_in_stack},
	                                               {"own-stack", sum_own_stack},
	                                               {"range", sequence_range},
	                                               {"range-own-stack", sequence_range_own},
	                                               {NULL, NULL}};
	uint64_t size = program_value(run, "size");
	return generators_measure(run, forms, size, size, size * (size + 1) / 2);
}

static const struct program_parameter parameters[] = {
    {"size", 1000000, 1, 1000000000, "numbers"},
    {"rounds", 10, 1, 1000000, "how often each form adds them up"},
    {0}};

HEDDLE_PROGRAM(sequence, "numbers from generators, beside a loop and callbacks (switching paper, Figure 12)",
               parameters, run);
