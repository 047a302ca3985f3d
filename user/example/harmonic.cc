/*
 * A program in C++, outside the tree: tasks sum up parts of the harmonic series.
 */
#include "heddle/guard.hpp"
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"

using namespace heddle;

namespace
{

struct series {
	mutex guarded;
	double sum;
	uint64_t tasks, terms;
};

intptr_t add_part(size_t number, void *argument)
{
	series &all = *static_cast<series *>(argument);
	double part = 0;
	for (uint64_t term = all.terms - number; term > 0; term -= term < all.tasks ? term : all.tasks)
		part += 1.0 / static_cast<double>(term);
	mutex_guard guard(all.guarded);
	if (!guard)
		return 1;
	all.sum += part;
	return 0;
}

bool run(program_run *run)
{
	series all = {HEDDLE_MUTEX_INITIALIZER, 0, program_value(run, "tasks"), program_value(run, "terms")};
	crew members = {};
	intptr_t failed = 0;
	members.name = "harmonic";
	members.function = add_part;
	members.argument = &all;
	members.count = all.tasks;
	if (crew_create(&members) != HEDDLE_OK)
		return program_failed(run, "no memory for the tasks");
	uint64_t start = heddle_clock();
	crew_start(&members);
	bool joined = crew_join(&members, &failed) == HEDDLE_OK;
	uint64_t end = heddle_clock();
	heddle_print("the first %lu terms of the harmonic series add up to %.6f", all.terms, all.sum);
	/* The sum of n terms is between the natural logarithm of n and that plus 1, and n between two powers of two. */
	double least = 0.693147 * static_cast<double>(63 - __builtin_clzl(all.terms));
	return program_result(run, "own", all.terms, end - start,
	                      joined && failed == 0 && all.sum > least && all.sum < least + 1.7);
}

const program_parameter parameters[] = {
    {"tasks", 10, 1, 1000, "how many tasks"}, {"terms", 100000, 1000, 1000000000, "how many terms"}, {}};

} // namespace

HEDDLE_PROGRAM(harmonic, "tasks sum up parts of the harmonic series", parameters, run);
