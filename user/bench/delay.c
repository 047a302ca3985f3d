/*
 * Queuing delay (exchange paper, sections 4.1 and 6.5, Figure 15): the time in which nobody is in a critical
 * section although somebody waits for it, from the moment when a holder calls unlock until the next one is
 * inside. Counted are the sections whose task had come before its predecessor left. The rest is as in the
 * benchmark `section`.
 */
#include "heddle/program.h"
#include "user/bench/histogram.h"
#include "user/bench/lock_choice.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"
#include "user/bench/work.h"

struct shared {
	struct work work;
	uint64_t rounds;
	struct chosen_mutex mutex;
	struct witness witness;
	uint64_t left_at; /* when the last holder left; with the lock held, like the histogram */
	struct histogram delays;
};

static void delay_note(struct shared *shared, uint64_t came_at, uint64_t entered_at)
{
	if (shared->left_at > came_at)
		histogram_add(&shared->delays, entered_at > shared->left_at ? entered_at - shared->left_at : 0);
}

/* Returns the sum of the primes that it inserted. */
static intptr_t member(size_t number, void *argument)
{
	struct shared *shared = argument;
	struct random random = random_start(number);
	uint64_t sum = 0, factors = 0;
	for (uint64_t i = 0; i < shared->rounds; i++) {
		uint32_t prime = work_pick(&shared->work, &random);
		uint64_t came_at = heddle_clock();
		chosen_mutex_lock(&shared->mutex);
		delay_note(shared, came_at, heddle_clock());
		uint64_t entered = witness_enter(&shared->witness);
		work_insert(&shared->work, prime);
		witness_leave(&shared->witness, entered);
		shared->left_at = heddle_clock();
		chosen_mutex_unlock(&shared->mutex);
		factors += factors_count(prime);
		sum += prime;
	}
	return factors == shared->rounds ? (intptr_t)sum : 0;
}

static bool delay_measure(struct program_run *run, struct shared *shared)
{
	uint64_t tasks = program_value(run, "tasks"), sections = tasks * shared->rounds, duration;
	struct crew crew = {.name = "delay", .function = member, .argument = shared, .count = tasks};
	intptr_t sum;
	if (!crew_measure(run, &crew, &duration, &sum))
		return false;
	bool ok =
	    witness_is_content(&shared->witness, sections) && map_has(&shared->work.map, sections, (uint64_t)sum);
	program_result_extra(run, "waited", shared->delays.count);
	program_result_extra(run, "median_ns", histogram_quantile(&shared->delays, 1, 2));
	program_result_extra(run, "p90_ns", histogram_quantile(&shared->delays, 9, 10));
	program_result_extra(run, "p99_ns", histogram_quantile(&shared->delays, 99, 100));
	program_result_extra(run, "maximum_ns", shared->delays.largest);
	program_result(run, NULL, sections, duration, ok);
	return ok || program_failed(run, "a section was lost, or two tasks held the lock at once");
}

static bool run(struct program_run *run)
{
	struct shared *shared = heddle_allocate(sizeof(*shared)); /* too large for a stack */
	if (!shared)
		return program_failed(run, "no memory for a histogram");
	*shared = (struct shared){.rounds = program_value(run, "rounds")};
	bool ok = work_create(&shared->work, run);
	if (ok) {
		chosen_mutex_create(&shared->mutex, (enum lock_variant)program_value(run, "variant"));
		ok = delay_measure(run, shared);
		work_destroy(&shared->work);
	}
	heddle_free(shared, sizeof(*shared));
	return ok;
}

/* The paper measures a data base: 256 readers at most, and half of the sections take less than 319 ns. */
static const struct program_parameter parameters[] = {
    {"variant", .help = "which lock", .choices = LOCK_VARIANTS},
    {"tasks", 256, 1, 1000000, "how many tasks"},
    {"rounds", 500, 1, 1000000, "sections of each task"},
    {"section", 319, 0, 1000000, "nanoseconds that a section takes at the least"},
    {"size", 1000000, 2, SIEVE_LIMIT, "the primes are the largest up to this"},
    {"primes", 1000, 1, 1000000, "how many primes there are at most"},
    {0}};

PROGRAM(delay, "the delay of those who wait for a lock (exchange paper, Figure 15)", parameters, run);
