/*
 * Critical sections between longer work (exchange paper, Figures 8, 9 and 10): each task picks a random large
 * prime, inserts it into a map that all share, and takes it apart outside the section. How much of the time
 * is spent inside is up to the parameters `section` and `size`.
 */
#include "heddle/program.h"
#include "user/bench/lock_choice.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"
#include "user/bench/work.h"

struct shared {
	struct work work;
	uint64_t rounds;
	_Atomic uint64_t factors; /* that were found */
	struct chosen_mutex mutex;
	struct witness witness;
};

/* Returns the sum of the primes that it inserted. */
static intptr_t member(size_t number, void *argument)
{
	struct shared *shared = argument;
	struct random random = random_start(number);
	uint64_t sum = 0, factors = 0;
	for (uint64_t i = 0; i < shared->rounds; i++) {
		uint32_t prime = work_pick(&shared->work, &random);
		chosen_mutex_lock(&shared->mutex);
		uint64_t entered = witness_enter(&shared->witness);
		work_insert(&shared->work, prime);
		witness_leave(&shared->witness, entered);
		chosen_mutex_unlock(&shared->mutex);
		factors += factors_count(prime);
		sum += prime;
	}
	/* relaxed: read after the joins, which order it */
	atomic_fetch_add_explicit(&shared->factors, factors, memory_order_relaxed);
	return (intptr_t)sum;
}

static bool section_measure(struct program_run *run, struct shared *shared)
{
	uint64_t tasks = program_value(run, "tasks"), sections = tasks * shared->rounds, duration;
	struct crew crew = {.name = "section", .function = member, .argument = shared, .count = tasks};
	intptr_t sum;
	if (!crew_measure(run, &crew, &duration, &sum))
		return false;
	bool alone = witness_is_content(&shared->witness, sections);
	bool all = map_has(&shared->work.map, sections, (uint64_t)sum) &&
	           atomic_load_explicit(&shared->factors, memory_order_relaxed) == sections;
	program_result(run, NULL, sections, duration, alone && all);
	if (!alone)
		return program_failed(run, "a section was lost, or two tasks held the lock at once");
	return all || program_failed(run, "the map does not hold what was inserted");
}

static bool run(struct program_run *run)
{
	struct shared shared = {.rounds = program_value(run, "rounds")};
	if (!work_create(&shared.work, run))
		return false;
	chosen_mutex_create(&shared.mutex, (enum lock_variant)program_value(run, "variant"));
	bool ok = section_measure(run, &shared);
	work_destroy(&shared.work);
	return ok;
}

/* The paper has 1,000 rounds. */
static const struct program_parameter parameters[] = {
    {"variant", .help = "which lock", .choices = LOCK_VARIANTS},
    {"tasks", 5000, 1, 1000000, "how many tasks"},
    {"rounds", 40, 1, 1000000, "sections of each task"},
    {"section", 0, 0, 1000000, "nanoseconds that a section takes at the least; the paper goes up to 7500"},
    {"size", 1000000, 2, SIEVE_LIMIT, "the primes are the largest up to this"},
    {"primes", 1000, 1, 1000000, "how many primes there are at most"},
    {0}};

PROGRAM(section, "critical sections between longer work (exchange paper, Figures 8 to 10)", parameters, run);
