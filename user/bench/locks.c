/*
 * The cost of a lock (scheduler paper, Figure 9): tasks lock and unlock repeatedly, either a lock of their own or one
 * that all share.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/lock_choice.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"

enum scope { SCOPE_LOCAL, SCOPE_GLOBAL };

/* On cache lines of its own, so that local locks do not share one. */
struct guarded {
	struct chosen_mutex mutex;
	struct witness witness;
};

struct locks {
	struct guarded *guarded;
	uint64_t count, rounds;
};

static intptr_t member(size_t number, void *argument)
{
	struct locks *locks = argument;
	struct guarded *guarded = &locks->guarded[number % locks->count];
	for (uint64_t i = 0; i < locks->rounds; i++) {
		chosen_mutex_lock(&guarded->mutex);
		uint64_t entered = witness_enter(&guarded->witness);
		witness_leave(&guarded->witness, entered);
		chosen_mutex_unlock(&guarded->mutex);
	}
	return 0;
}

static bool locks_create(struct program_run *run, struct locks *locks)
{
	bool ok = true;
	for (uint64_t i = 0; i < locks->count; i++)
		locks->guarded[i] = (struct guarded){0};
	for (uint64_t i = 0; i < locks->count && ok; i++)
		ok = chosen_mutex_create(&locks->guarded[i].mutex, run);
	return ok;
}

static void locks_destroy(struct locks *locks)
{
	for (uint64_t i = 0; i < locks->count; i++)
		chosen_mutex_destroy(&locks->guarded[i].mutex);
}

static bool locks_measure(struct program_run *run, struct locks *locks)
{
	uint64_t tasks = program_value(run, "tasks"), duration;
	struct crew crew = {.name = "locks", .function = member, .argument = locks, .count = tasks};
	intptr_t unused;
	bool ok = true;
	if (!crew_measure(run, &crew, &duration, &unused))
		return false;
	for (uint64_t i = 0; i < locks->count; i++)
		ok &= witness_is_content(&locks->guarded[i].witness, tasks * locks->rounds / locks->count);
	program_result(run, NULL, tasks * locks->rounds, duration, ok);
	return ok || program_failed(run, "a section was lost, or two tasks held a lock at once");
}

static bool run(struct program_run *run)
{
	bool local = program_value(run, "scope") == SCOPE_LOCAL;
	struct locks locks = {.count = local ? program_value(run, "tasks") : 1,
	                      .rounds = program_value(run, "rounds")};
	size_t bytes = locks.count * sizeof(*locks.guarded);
	locks.guarded = heddle_allocate(bytes);
	if (!locks.guarded)
		return program_failed(run, "no memory for %lu locks", locks.count);
	bool ok = locks_create(run, &locks) && locks_measure(run, &locks);
	locks_destroy(&locks);
	heddle_free(locks.guarded, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS,
    {"scope", .help = "a lock for each task, or one for all", .choices = "local|global"},
    {"tasks", 64, 1, 1000000, "how many tasks"},
    {"rounds", 10000, 1, 1000000000, "how often each task locks and unlocks"},
    {0}};

HEDDLE_PROGRAM(locks, "locking and unlocking (scheduler paper, Figure 9)", parameters, run);
