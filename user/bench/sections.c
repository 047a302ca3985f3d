#include "user/bench/sections.h"

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
	struct delays *delays;
};

/* A section counts if its task had come before its predecessor left. */
static void delay_note(struct delays *delays, uint64_t came_at, uint64_t entered_at)
{
	if (delays->left_at <= came_at)
		return;
	uint64_t since = delays->first_since > came_at ? delays->first_since : came_at;
	uint64_t waited = entered_at > since ? entered_at - since : 0;
	if (waited > delays->first_waited)
		delays->first_waited = waited;
	delays->first_since = entered_at;
	histogram_add(&delays->histogram, entered_at > delays->left_at ? entered_at - delays->left_at : 0);
}

static void insert(struct shared *shared, uint32_t prime)
{
	struct delays *delays = shared->delays;
	uint64_t came_at = delays ? heddle_clock() : 0;
	chosen_mutex_lock(&shared->mutex);
	if (delays)
		delay_note(delays, came_at, heddle_clock());
	uint64_t entered = witness_enter(&shared->witness);
	work_insert(&shared->work, prime);
	witness_leave(&shared->witness, entered);
	if (delays)
		delays->left_at = heddle_clock();
	chosen_mutex_unlock(&shared->mutex);
}

/* Returns the sum of the primes that it inserted. */
static intptr_t member(size_t number, void *argument)
{
	struct shared *shared = argument;
	struct random random = random_start(number);
	uint64_t sum = 0, factors = 0;
	for (uint64_t i = 0; i < shared->rounds; i++) {
		uint32_t prime = work_pick(&shared->work, &random);
		insert(shared, prime);
		factors += work_factors(&shared->work, prime);
		sum += prime;
	}
	/* relaxed: read after the joins, which order it */
	atomic_fetch_add_explicit(&shared->factors, factors, memory_order_relaxed);
	return (intptr_t)sum;
}

static bool measure(struct program_run *run, struct shared *shared, struct sections *sections)
{
	uint64_t tasks = program_value(run, "tasks");
	struct crew crew = {.name = "section", .function = member, .argument = shared, .count = tasks};
	intptr_t sum;
	if (!crew_measure(run, &crew, &sections->duration, &sum))
		return false;
	sections->count = tasks * shared->rounds;
	sections->alone = witness_is_content(&shared->witness, sections->count);
	sections->all = map_has(&shared->work.map, sections->count, (uint64_t)sum) &&
	                atomic_load_explicit(&shared->factors, memory_order_relaxed) == sections->count;
	return true;
}

bool sections_measure(struct program_run *run, struct sections *sections, struct delays *delays)
{
	struct shared shared = {.rounds = program_value(run, "rounds"), .delays = delays};
	if (!work_create(&shared.work, run))
		return false;
	bool ok = chosen_mutex_create(&shared.mutex, run) && measure(run, &shared, sections);
	chosen_mutex_destroy(&shared.mutex);
	work_destroy(&shared.work);
	return ok;
}

bool sections_result(struct program_run *run, const struct sections *sections)
{
	program_result(run, NULL, sections->count, sections->duration, sections->alone && sections->all);
	if (!sections->alone)
		return program_failed(run, "a section was lost, or two tasks held the lock at once");
	return sections->all || program_failed(run, "the map does not hold what was inserted");
}
