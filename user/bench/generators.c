#include "user/bench/generators.h"

#include "heddle/system.h"

#define FORMS_MAXIMUM 8
#define VALUES_LEAST  1000 /* from one reading of the clock to the next, which takes as long as some values */

/* `rounds` rounds of the form; its time in nanoseconds is added to *time. Returns whether all sums were right. */
static bool rounds_of(const struct generators_form *form, uint64_t size, uint64_t sum, uint64_t rounds,
                      uint64_t *time)
{
	bool right = true;
	uint64_t start = heddle_clock();
	for (uint64_t round = 0; round < rounds; round++)
		right &= form->sum(size) == sum;
	*time += heddle_clock() - start;
	return right;
}

bool generators_measure(struct program_run *run, const struct generators_form *forms, uint64_t size,
                        uint64_t values, uint64_t sum)
{
	uint64_t rounds = program_value(run, "rounds");
	uint64_t times[FORMS_MAXIMUM] = {0};
	bool right[FORMS_MAXIMUM], all_right = true;
	for (unsigned i = 0; forms[i].name; i++)
		right[i] = forms[i].sum(size) == sum; /* once to warm up */
	for (uint64_t done = 0, some; done < rounds; done += some) {
		some = values < VALUES_LEAST ? VALUES_LEAST / values : 1;
		if (some > rounds - done)
			some = rounds - done;
		for (unsigned i = 0; forms[i].name; i++)
			right[i] &= rounds_of(&forms[i], size, sum, some, &times[i]);
	}
	for (unsigned i = 0; forms[i].name; i++)
		all_right &= program_result(run, forms[i].name, rounds * values, times[i], right[i]);
	return all_right;
}
