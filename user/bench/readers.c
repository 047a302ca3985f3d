/*
 * A reader-writer lock around a map (exchange paper, Figure 11): each task picks a random large prime,
 * inserts it or looks it up, and takes it apart outside the section.
 */
#include "heddle/program.h"
#include "user/bench/lock_choice.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"
#include "user/bench/work.h"

#define SHARES 10000

struct shared {
	struct work work;
	uint64_t rounds, writers; /* of SHARES */
	_Atomic uint64_t writes, factors, wrong;
	struct chosen_reader_writer_lock lock;
	struct witness witness;
};

static void insert(struct shared *shared, uint32_t prime)
{
	chosen_write_lock(&shared->lock);
	uint64_t entered = witness_enter(&shared->witness);
	work_insert(&shared->work, prime);
	witness_leave(&shared->witness, entered);
	chosen_write_unlock(&shared->lock);
}

/* Whether what stands in the map is right. */
static bool look_up(struct shared *shared, uint32_t prime)
{
	chosen_read_lock(&shared->lock);
	uint64_t looked = witness_look(&shared->witness);
	const struct map_entry *entry = map_find(&shared->work.map, prime);
	bool right = !entry || entry->value == prime;
	work_linger(shared->work.section);
	witness_look_again(&shared->witness, looked);
	chosen_read_unlock(&shared->lock);
	return right;
}

/* Returns the sum of the primes that it inserted. */
static intptr_t member(size_t number, void *argument)
{
	struct shared *shared = argument;
	struct random random = random_start(number);
	uint64_t sum = 0, writes = 0, factors = 0, wrong = 0;
	for (uint64_t i = 0; i < shared->rounds; i++) {
		uint32_t prime = work_pick(&shared->work, &random);
		if (random_below(&random, SHARES) < shared->writers) {
			insert(shared, prime);
			writes++;
			sum += prime;
		} else
			wrong += !look_up(shared, prime);
		factors += work_factors(&shared->work, prime);
	}
	/* relaxed: read after the joins, which order them */
	atomic_fetch_add_explicit(&shared->writes, writes, memory_order_relaxed);
	atomic_fetch_add_explicit(&shared->factors, factors, memory_order_relaxed);
	atomic_fetch_add_explicit(&shared->wrong, wrong, memory_order_relaxed);
	return (intptr_t)sum;
}

static bool readers_measure(struct program_run *run, struct shared *shared)
{
	uint64_t tasks = program_value(run, "tasks"), sections = tasks * shared->rounds, duration;
	struct crew crew = {.name = "readers", .function = member, .argument = shared, .count = tasks};
	intptr_t sum;
	if (!crew_measure(run, &crew, &duration, &sum))
		return false;
	uint64_t writes = atomic_load_explicit(&shared->writes, memory_order_relaxed);
	bool alone = witness_is_content(&shared->witness, writes);
	bool all = map_has(&shared->work.map, writes, (uint64_t)sum) &&
	           atomic_load_explicit(&shared->wrong, memory_order_relaxed) == 0 &&
	           atomic_load_explicit(&shared->factors, memory_order_relaxed) == sections;
	program_result_extra(run, "writes", writes);
	program_result(run, NULL, sections, duration, alone && all);
	if (!alone)
		return program_failed(run, "a writer was lost, or held the lock together with another task");
	return all || program_failed(run, "the map does not hold what was inserted");
}

static bool run(struct program_run *run)
{
	struct shared shared = {.rounds = program_value(run, "rounds"), .writers = program_value(run, "writers")};
	if (!work_create(&shared.work, run))
		return false;
	chosen_reader_writer_lock_create(&shared.lock, run);
	bool ok = readers_measure(run, &shared);
	work_destroy(&shared.work);
	return ok;
}

/* The paper has 5,000 tasks, 1,000 rounds, and shares of 50 to 6.25 percent. */
static const struct program_parameter parameters[] = {
    READER_WRITER_PARAMETER,
    {"writers", 5000, 0, SHARES, "how many of 10,000 sections write; the paper goes down to 625"},
    {"tasks", 5000, 1, 1000000, "how many tasks"},
    {"rounds", 40, 1, 1000000, "sections of each task"},
    {"section", 0, 0, 1000000, "nanoseconds that a section takes at the least"},
    {"outside", 1, 1, 1000000, "how many times a number is factorized outside a section"},
    {"size", 1000000, 2, SIEVE_LIMIT, "the primes are the largest up to this"},
    {"primes", 1000, 1, 1000000, "how many primes there are at most"},
    {0}};

HEDDLE_PROGRAM(readers, "a map with readers and writers (exchange paper, Figure 11)", parameters, run);
