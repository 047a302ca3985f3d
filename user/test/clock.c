/*
 * The clocks of all processors agree: when another processor learns of a time read on one, that time is in the past.
 * There is a test, and a program that says by how much that fails.
 */
#include <stdatomic.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"
#include "user/test/test.h"

#define STEP_BACK_ALLOWED 10000 /* nanoseconds; more than that is logged as a warning at the start */
#define ROUNDS_TESTED     2000
#define ROUNDS_A_TURN     64

static struct {
	_Alignas(64) _Atomic uint64_t latest;
	_Alignas(64) _Atomic uint64_t largest; /* step back */
} seen;

static void raise_to(_Atomic uint64_t *maximum, uint64_t value)
{
	uint64_t old = atomic_load_explicit(maximum, memory_order_relaxed);
	/* old -> value; release: pairs with the acquire in look(), which reads the clock after that. */
	while (old < value && !atomic_compare_exchange_weak_explicit(maximum, &old, value, memory_order_release,
	                                                             memory_order_relaxed))
		continue;
}

static intptr_t look(size_t number, void *rounds)
{
	(void)number;
	for (uint64_t round = 0; round < *(const uint64_t *)rounds; round++) {
		uint64_t latest = atomic_load_explicit(&seen.latest, memory_order_acquire);
		uint64_t now = heddle_clock();
		if (now < latest)
			raise_to(&seen.largest, latest - now);
		raise_to(&seen.latest, now);
		if (round % ROUNDS_A_TURN == 0)
			task_yield();
	}
	return 0;
}

static enum heddle_error look_on_all(uint64_t rounds)
{
	struct crew crew = {
	    .name = "clock", .function = look, .argument = &rounds, .count = heddle_processors(), .bound = true};
	atomic_store_explicit(&seen.latest, 0, memory_order_relaxed);
	atomic_store_explicit(&seen.largest, 0, memory_order_relaxed);
	enum heddle_error error = crew_create(&crew);
	if (error != HEDDLE_OK)
		return error;
	crew_start(&crew);
	intptr_t unused;
	return crew_join(&crew, &unused);
}

TEST(clock, is_the_same_on_all_processors)
{
	CHECK_EQUAL(look_on_all(ROUNDS_TESTED), HEDDLE_OK);
	CHECK(atomic_load_explicit(&seen.largest, memory_order_relaxed) <= STEP_BACK_ALLOWED);
}

static bool run(struct program_run *run)
{
	uint64_t rounds = program_value(run, "rounds"), start = heddle_clock();
	enum heddle_error error = look_on_all(rounds);
	uint64_t nanoseconds = heddle_clock() - start;
	if (error != HEDDLE_OK)
		return program_failed(run, "%s", heddle_error_text(error));
	uint64_t back = atomic_load_explicit(&seen.largest, memory_order_relaxed);
	program_result_extra(run, "step_back_ns", back);
	return program_result(run, "all", rounds * heddle_processors(), nanoseconds, back <= STEP_BACK_ALLOWED);
}

static const struct program_parameter parameters[] = {
    {"rounds", 100000, 1, 1000000000, "how often each processor looks at the clock"}, {0}};

HEDDLE_PROGRAM(clock, "how far the processors' clocks differ", parameters, run);
