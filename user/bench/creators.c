/*
 * The cost of a task if all processors make some: each creator makes a few, joins them, and begins again. A single
 * creator (create.c) cannot keep many processors busy, however cheap a task is.
 *
 * Each makes a number of tasks, so the start belongs to what is measured, and the last to end. Or all go on for a time:
 * only batches count that begin after the warm-up and end in time, so each creator loses one.
 */
#include <stdatomic.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/measure.h"

#define BATCH_MAXIMUM 64

struct creators {
	uint64_t tasks, batch; /* `tasks` of each creator, unless there is a period */
	struct measure_time time;
	const struct crew *crew;
	_Atomic uint64_t wrong;
};

static intptr_t end_with(void *argument)
{
	return (intptr_t)argument;
}

/* Make and join so many tasks; returns how many of them ended with the right result. */
static uint64_t batch_run(uint64_t count)
{
	struct task *tasks[BATCH_MAXIMUM];
	struct task_options options = HEDDLE_TASK_OPTIONS;
	uint64_t made = 0, right = 0;
	options.name = "creators";
	options.stack_size = HEDDLE_TASK_STACK_MINIMUM;
	while (made < count &&
	       task_create(&tasks[made], end_with, (void *)(uintptr_t)made, &options) == HEDDLE_OK)
		made++;
	for (uint64_t i = 0; i < made; i++) {
		intptr_t result = -1;
		right += task_join(tasks[i], &result) == HEDDLE_OK && (uint64_t)result == i;
	}
	return right;
}

/* What one creator does. */
struct creation {
	const struct creators *creators;
	uint64_t wrong;
};

static uint64_t create_batch(void *argument)
{
	struct creation *creation = argument;
	const uint64_t batch = creation->creators->batch;
	creation->wrong += batch - batch_run(batch);
	return batch;
}

/* Returns how many it has made. */
static uint64_t create_all(const struct creators *creators, uint64_t *wrong)
{
	for (uint64_t left = creators->tasks, count; left > 0; left -= count) {
		count = left < creators->batch ? left : creators->batch;
		*wrong += count - batch_run(count);
	}
	return creators->tasks;
}

static intptr_t creator(size_t number, void *argument)
{
	struct creators *creators = argument;
	struct creation creation = {creators, 0};
	(void)number;
	uint64_t counted = creators->time.period
	                       ? measure_time_work(&creators->time, creators->crew, create_batch, &creation)
	                       : create_all(creators, &creation.wrong);
	/* relaxed: read after the joins, which order it */
	atomic_fetch_add_explicit(&creators->wrong, creation.wrong, memory_order_relaxed);
	return (intptr_t)counted;
}

static bool run(struct program_run *run)
{
	struct creators creators = {.tasks = program_value(run, "tasks"), .batch = program_value(run, "batch")};
	uint64_t count = program_value(run, "creators"), duration;
	struct crew crew = {.name = "creators",
	                    .function = creator,
	                    .argument = &creators,
	                    .count = count ? count : heddle_processors()};
	intptr_t counted;
	if (!measure_time_read(run, &creators.time, "tasks"))
		return false;
	creators.crew = &crew;
	if (!crew_measure(run, &crew, &duration, &counted))
		return false;
	if (counted == 0)
		return program_failed(run, "no creator made and joined a whole batch in milliseconds=%lu",
		                      creators.time.period / MILLISECOND);
	bool ok = atomic_load_explicit(&creators.wrong, memory_order_relaxed) == 0;
	program_result(run, NULL, (uint64_t)counted, creators.time.period ? creators.time.period : duration, ok);
	return ok || program_failed(run, "some tasks could not be made, or ended with another result");
}

static const struct program_parameter parameters[] = {
    {"creators", 0, 0, 100000, "how many tasks make others; 0: one for each processor"},
    {"tasks", 2000, 1, 100000000, "how many each of them makes"},
    {"milliseconds", 0, 0, 1000000, "go on for that long, in place of tasks="},
    {"warmup", 0, 0, 1000000, "milliseconds before that"},
    {"batch", 16, 1, BATCH_MAXIMUM, "how many it makes before it joins these"},
    {0}};

HEDDLE_PROGRAM(creators, "tasks made and joined by many creators at once", parameters, run);
