#include "user/bench/generators.h"

#include "heddle/system.h"

#define FORMS_MAXIMUM 8

bool generators_measure(struct program_run *run, const struct generators_form *forms, uint64_t size,
                        uint64_t values, uint64_t sum)
{
	uint64_t rounds = program_value(run, "rounds");
	uint64_t times[FORMS_MAXIMUM] = {0};
	bool right[FORMS_MAXIMUM], all_right = true;
	for (unsigned i = 0; forms[i].name; i++)
		right[i] = forms[i].sum(size) == sum; /* once to warm up */
	for (uint64_t round = 0; round < rounds; round++) {
		for (unsigned i = 0; forms[i].name; i++) {
			uint64_t start = heddle_clock();
			right[i] &= forms[i].sum(size) == sum;
			times[i] += heddle_clock() - start;
		}
	}
	for (unsigned i = 0; forms[i].name; i++)
		all_right &= program_result(run, forms[i].name, rounds * values, times[i], right[i]);
	return all_right;
}
