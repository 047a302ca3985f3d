/* What the tests of generators share. */
#ifndef USER_TEST_GENERATOR_H
#define USER_TEST_GENERATOR_H

#include "heddle/generator.h"

static inline void count_up(struct generator_body *self, void *last)
{
	for (intptr_t i = 1; i <= (intptr_t)last; i++)
		generator_yield(self, i);
}

/* The sum of all values of a generator; -1: there is none. */
static inline int64_t sum_of(void *stack, size_t size, generator_function function, void *argument)
{
	struct generator numbers;
	int64_t sum = 0;
	if (generator_create(&numbers, stack, size, function, argument) != HEDDLE_OK)
		return -1;
	while (generator_resume(&numbers) == HEDDLE_OK)
		sum += generator_value(&numbers);
	return generator_destroy(&numbers) == HEDDLE_OK ? sum : -1;
}

#endif
