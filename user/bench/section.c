/*
 * Critical sections between longer work (exchange paper, Figures 8, 9 and 10). How much of the time is spent
 * inside is up to the parameters `section` and `size`.
 */
#include "user/bench/lock_choice.h"
#include "user/bench/sections.h"
#include "user/bench/sieve.h"

static bool run(struct program_run *run)
{
	struct sections sections;
	return sections_measure(run, &sections, NULL) && sections_result(run, &sections);
}

/* The paper has 1,000 rounds. */
static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS,
    {"tasks", 5000, 1, 1000000, "how many tasks"},
    {"rounds", 40, 1, 1000000, "sections of each task"},
    {"section", 0, 0, 1000000, "nanoseconds that a section takes at the least; the paper goes up to 7500"},
    {"outside", 1, 1, 1000000, "how many times a number is factorized outside a section"},
    {"size", 1000000, 2, SIEVE_LIMIT, "the primes are the largest up to this"},
    {"primes", 1000, 1, 1000000, "how many primes there are at most"},
    {0}};

HEDDLE_PROGRAM(section, "critical sections between longer work (exchange paper, Figures 8 to 10)", parameters,
               run);
