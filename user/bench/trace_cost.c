/*
 * The cost of an event of the trace, and what part of it is reading the cycle counter; and the cost of a lock without
 * contention, with and without recording events. Only with trace=on or trace=paused.
 */
#include "heddle/mutex.h"
#include "heddle/program.h"
#include "heddle/system.h"
#include "sched/trace.h"

static uint64_t read_counter(uint64_t rounds)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < rounds; i++)
		sum += arch_cycles();
	return sum;
}

static uint64_t record(uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++)
		trace_record_release(0, 0);
	return rounds;
}

static uint64_t lock(uint64_t rounds)
{
	static struct mutex mutex;
	uint64_t right = 0;
	for (uint64_t i = 0; i < rounds; i++)
		right += mutex_lock(&mutex) == HEDDLE_OK && mutex_unlock(&mutex) == HEDDLE_OK;
	return right == rounds;
}

static const struct {
	const char *name;
	uint64_t (*function)(uint64_t rounds);
	bool recorded;
} forms[] = {{"counter", read_counter, true},
             {"event", record, true},
             {"mutex, recorded", lock, true},
             {"mutex, paused", lock, false}};

static bool run(struct program_run *run)
{
	uint64_t rounds = program_value(run, "rounds");
	bool ok = true;
	if (!trace_area)
		return program_failed(run, "nothing is traced: the command line needs trace=on, too");
	for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
		trace_turn(forms[i].recorded);
		uint64_t start = heddle_clock();
		bool right = forms[i].function(rounds) != 0;
		uint64_t duration = heddle_clock() - start;
		ok &= program_result(run, forms[i].name, rounds, duration, right);
	}
	trace_turn(true);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"rounds", 1000000, 1, UINT64_MAX, "how often each is done"}, {0}};

HEDDLE_PROGRAM(trace_cost, "what an event of the trace costs: trace=on run=trace_cost", parameters, run);
