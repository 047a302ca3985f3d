/*
 * Locks whose waiters only spin, a task on each processor. Their behaviour on more processors is known, so a
 * simulated machine must show it (J. Mellor-Crummey and M. Scott, ACM TOCS 9(1), 1991; S. Boyd-Wickizer and others,
 * Non-scalable locks are dangerous, 2012). A lock on which all spin (test, then test and set) collapses: each hand-over
 * brings its line to all that wait. A queue in which each waits on a line of its own (MCS) does not.
 */
#include "heddle/mcs_lock.h"
#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/ttas_lock.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"

enum variant { VARIANT_SPIN, VARIANT_QUEUE };

static const struct waiting_strategy spinning = {.spins = true, .uncooperative = true, .spin_longest = 1};

struct collapse {
	_Alignas(128) struct ttas_lock spin;
	_Alignas(128) struct mcs_lock queue;
	_Alignas(128) struct witness witness;
	_Alignas(128) enum variant variant;
	uint64_t rounds;
};

static void section(struct collapse *collapse)
{
	uint64_t entered = witness_enter(&collapse->witness);
	witness_leave(&collapse->witness, entered);
}

static intptr_t member(size_t number, void *argument)
{
	struct collapse *collapse = argument;
	(void)number;
	for (uint64_t i = 0; i < collapse->rounds; i++) {
		if (collapse->variant == VARIANT_SPIN) {
			ttas_lock_lock(&collapse->spin);
			section(collapse);
			ttas_lock_unlock(&collapse->spin);
		} else {
			mcs_lock_lock(&collapse->queue);
			section(collapse);
			mcs_lock_unlock(&collapse->queue);
		}
	}
	return 0;
}

static bool collapse_measure(struct program_run *run, struct collapse *collapse)
{
	uint64_t tasks = heddle_processors(), duration;
	struct crew crew = {
	    .name = "collapse", .function = member, .argument = collapse, .count = tasks, .bound = true};
	intptr_t unused;
	if (!crew_measure(run, &crew, &duration, &unused))
		return false;
	bool ok = witness_is_content(&collapse->witness, tasks * collapse->rounds);
	program_result(run, NULL, tasks * collapse->rounds, duration, ok);
	return ok || program_failed(run, "a section was lost, or two tasks held the lock at once");
}

static bool run(struct program_run *run)
{
	struct collapse *collapse = heddle_allocate(sizeof(*collapse));
	if (!collapse)
		return program_failed(run, "no memory for two locks");
	*collapse = (struct collapse){.variant = (enum variant)program_value(run, "variant"),
	                              .rounds = program_value(run, "rounds")};
	bool ok = ttas_lock_create(&collapse->spin, &spinning) == HEDDLE_OK &&
	          mcs_lock_create(&collapse->queue, &spinning) == HEDDLE_OK && collapse_measure(run, collapse);
	heddle_free(collapse, sizeof(*collapse));
	return ok;
}

static const struct program_parameter parameters[] = {
    {"variant", .help = "the lock", .choices = "spin|queue"},
    {"rounds", 1000, 1, 1000000000, "sections of each task"},
    {0}};

HEDDLE_PROGRAM(collapse, "locks whose waiters only spin, a task on each processor", parameters, run);
