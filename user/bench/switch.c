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
	uint64_t rounds; /* of each task, unless there is a period */
	struct measure_time time;
	const struct crew *crew;
};

static uint64_t yield_repeatedly(uint64_t rounds)
{
	uint64_t done = 0;
	for (; done < rounds; done++)
		task_yield();
	return done;
}

static uint64_t yield_batch(void *unused)
{
	(void)unused;
	return yield_repeatedly(BATCH);
}

static intptr_t member(size_t number, void *argument)
{
	const struct switches *switches = argument;
	(void)number;
	if (!switches->time.period)
		return (intptr_t)yield_repeatedly(switches->rounds);
	return (intptr_t)measure_time_work(&switches->time, switches->crew, yield_batch, NULL);
}

static bool run(struct program_run *run)
{
	struct switches switches = {.rounds = program_value(run, "rounds")};
	struct crew crew = {.name = "switch",
	                    .function = member,
	                    .argument = &switches,
	                    .count = program_value(run, "tasks"),
	                    .stack_size = HEDDLE_TASK_STACK_MINIMUM,
	                    .bound = program_value(run, "bind")};
	intptr_t counted;
	uint64_t duration;
	if (!measure_time_read(run, &switches.time, "rounds"))
		return false;
	switches.crew = &crew;
	if (!crew_measure(run, &crew, &duration, &counted))
		return false;
	if (counted == 0)
		return program_failed(run, "no task yielded %u times in milliseconds=%lu", BATCH,
		                      switches.time.period / MILLISECOND);
	return program_result(run, NULL, (uint64_t)counted,
	                      switches.time.period ? switches.time.period : duration,
	                      switches.time.period || (uint64_t)counted == crew.count * switches.rounds);
}

static const struct program_parameter parameters[] = {
    {"tasks", 10, 1, 10000000, "how many tasks yield"},
    {"rounds", 20000, 1, 1000000000000, "yields of each task"},
    {"milliseconds", 0, 0, 1000000, "go on for that long, in place of rounds="},
    {"warmup", 0, 0, 1000000, "milliseconds before that"},
    {"bind", 0, 0, 1, "1: bind the tasks to the processors in turn; 0: leave them to the scheduler"},
    {0}};

HEDDLE_PROGRAM(switch, "context switches by explicit yields (scheduler paper, Figure 8)", parameters, run);
