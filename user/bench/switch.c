/*
 * The cost of a switch when tasks only yield (scheduler paper, Figure 8): the switches are explicit, and nothing else
 * is measured.
 *
 * Each task yields a number of times, so the start belongs to what is measured, and the last to end. Or all go on for a
 * time: only batches of yields count that begin after the warm-up and end in time.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/measure.h"

#define BATCH 256 /* yields from one look at the clock to the next */

struct switches {
	uint64_t rounds;
	uint64_t warmup, period; /* in nanoseconds; no period: `rounds` says when a task ends */
	const struct crew *crew;
};

static uint64_t yield_repeatedly(uint64_t rounds)
{
	uint64_t done = 0;
	for (; done < rounds; done++)
		task_yield();
	return done;
}

/* Returns how many count. */
static uint64_t yield_for_time(const struct switches *switches)
{
	uint64_t from = switches->crew->started_at + switches->warmup, until = from + switches->period,
	         counted = 0;
	for (uint64_t began = heddle_clock(), ended; began < until; began = ended) {
		uint64_t done = yield_repeatedly(BATCH);
		ended = heddle_clock();
		if (began >= from && ended <= until)
			counted += done;
	}
	return counted;
}

static intptr_t member(size_t number, void *argument)
{
	const struct switches *switches = argument;
	(void)number;
	return (intptr_t)(switches->period ? yield_for_time(switches) : yield_repeatedly(switches->rounds));
}

static bool run(struct program_run *run)
{
	struct switches switches = {.rounds = program_value(run, "rounds"),
	                            .warmup = program_value(run, "warmup") * MILLISECOND,
	                            .period = program_value(run, "milliseconds") * MILLISECOND};
	struct crew crew = {.name = "switch",
	                    .function = member,
	                    .argument = &switches,
	                    .count = program_value(run, "tasks"),
	                    .stack_size = HEDDLE_TASK_STACK_MINIMUM,
	                    .bound = program_value(run, "bind")};
	intptr_t counted;
	uint64_t duration;
	if (switches.warmup && !switches.period)
		return program_failed(run, "warmup= goes before milliseconds=, and is not used with rounds=");
	switches.crew = &crew;
	if (!crew_measure(run, &crew, &duration, &counted))
		return false;
	if (counted == 0)
		return program_failed(run, "no task yielded %u times in milliseconds=%lu", BATCH,
		                      switches.period / MILLISECOND);
	return program_result(run, NULL, (uint64_t)counted, switches.period ? switches.period : duration,
	                      switches.period || (uint64_t)counted == crew.count * switches.rounds);
}

static const struct program_parameter parameters[] = {
    {"tasks", 10, 1, 10000000, "how many tasks yield"},
    {"rounds", 20000, 1, 1000000000000, "yields of each task"},
    {"milliseconds", 0, 0, 1000000, "go on for that long, in place of rounds="},
    {"warmup", 0, 0, 1000000, "milliseconds before that"},
    {"bind", 0, 0, 1, "1: bind the tasks to the processors in turn; 0: leave them to the scheduler"},
    {0}};

HEDDLE_PROGRAM(switch, "context switches by explicit yields (scheduler paper, Figure 8)", parameters, run);
