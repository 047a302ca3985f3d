/*
 * The cost of a task if all processors make some: each creator makes a few, joins them, and begins again. A single
 * creator (create.c) cannot keep many processors busy, however cheap a task is.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/measure.h"

#define BATCH_MAXIMUM 64

struct creators {
	uint64_t tasks, batch;
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

static intptr_t creator(size_t number, void *argument)
{
	const struct creators *creators = argument;
	uint64_t right = 0, left = creators->tasks;
	(void)number;
	while (left > 0) {
		uint64_t count = left < creators->batch ? left : creators->batch;
		right += batch_run(count);
		left -= count;
	}
	return (intptr_t)right;
}

static bool run(struct program_run *run)
{
	struct creators creators = {.tasks = program_value(run, "tasks"), .batch = program_value(run, "batch")};
	uint64_t count = program_value(run, "creators"), duration;
	struct crew crew = {.name = "creators",
	                    .function = creator,
	                    .argument = &creators,
	                    .count = count ? count : heddle_processors()};
	intptr_t right;
	if (!crew_measure(run, &crew, &duration, &right))
		return false;
	bool ok = (uint64_t)right == crew.count * creators.tasks;
	program_result(run, NULL, crew.count * creators.tasks, duration, ok);
	return ok || program_failed(run, "some tasks could not be made, or ended with another result");
}

static const struct program_parameter parameters[] = {
    {"creators", 0, 0, 100000, "how many tasks make others; 0: one for each processor"},
    {"tasks", 2000, 1, 100000000, "how many each of them makes"},
    {"batch", 16, 1, BATCH_MAXIMUM, "how many it makes before it joins these"},
    {0}};

HEDDLE_PROGRAM(creators, "tasks made and joined by many creators at once", parameters, run);
