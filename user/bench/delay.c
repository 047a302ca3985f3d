/*
 * Queuing delay (exchange paper, sections 4.1 and 6.5, Figure 15): the time in which no task is in a critical section
 * although one waits for it, from the unlock of a holder until the next one is inside. Counted are the sections whose
 * task had come before its predecessor left.
 *
 * `first_waited_ns` is the longest time for which one of them was the first in the queue: a section, a hand-over, and
 * the sections in a row of a holder whose hand-overs were deferred (sync/deferral.h; defer=0 has none).
 */
#include "heddle/system.h"
#include "user/bench/lock_choice.h"
#include "user/bench/sections.h"
#include "user/bench/sieve.h"

static bool report(struct program_run *run, const struct sections *sections, const struct delays *delays)
{
	const struct histogram *histogram = &delays->histogram;
	program_result_extra(run, "waited", histogram->count);
	program_result_extra(run, "median_ns", histogram_quantile(histogram, 1, 2));
	program_result_extra(run, "p90_ns", histogram_quantile(histogram, 9, 10));
	program_result_extra(run, "p99_ns", histogram_quantile(histogram, 99, 100));
	program_result_extra(run, "maximum_ns", histogram->largest);
	program_result_extra(run, "first_waited_ns", delays->first_waited);
	return sections_result(run, sections);
}

static bool run(struct program_run *run)
{
	struct sections sections;
	struct delays *delays = heddle_allocate(sizeof(*delays)); /* too large for a stack */
	if (!delays)
		return program_failed(run, "no memory for a histogram");
	*delays = (struct delays){0};
	bool ok = sections_measure(run, &sections, delays) && report(run, &sections, delays);
	heddle_free(delays, sizeof(*delays));
	return ok;
}

/* The paper measures a data base: 256 readers at most, and half of the sections take less than 319 ns. */
static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS,
    {"tasks", 256, 1, 1000000, "how many tasks"},
    {"rounds", 500, 1, 1000000, "sections of each task"},
    {"section", 319, 0, 1000000, "nanoseconds that a section takes at the least"},
    {"outside", 1, 1, 1000000, "how many times a number is factorized outside a section"},
    {"size", 1000000, 2, SIEVE_LIMIT, "the primes are the largest up to this"},
    {"primes", 1000, 1, 1000000, "how many primes there are at most"},
    {0}};

HEDDLE_PROGRAM(delay, "the delay of tasks that wait for a lock (exchange paper, Figure 15)", parameters, run);
