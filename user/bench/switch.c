/*
 * The cost of a switch when tasks only yield (scheduler paper, Figure 8): the switches are explicit, and nothing else
 * is measured.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"

static intptr_t yield_repeatedly(size_t number, void *argument)
{
	uint64_t rounds = *(const uint64_t *)argument;
	uint64_t done = 0;
	(void)number;
	for (; done < rounds; done++)
		task_yield();
	return (intptr_t)done;
}

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks"), rounds = program_value(run, "rounds");
	struct crew crew = {.name = "switch",
	                    .function = yield_repeatedly,
	                    .argument = &rounds,
	                    .count = tasks,
	                    .stack_size = HEDDLE_TASK_STACK_MINIMUM,
	                    .bound = program_value(run, "bind")};
	intptr_t switches;
	enum heddle_error error = crew_create(&crew);
	if (error != HEDDLE_OK)
		return program_failed(run, "cannot create %lu tasks: %s", tasks, heddle_error_text(error));
	uint64_t start = heddle_clock();
	crew_start(&crew);
	error = crew_join(&crew, &switches);
	uint64_t duration = heddle_clock() - start;
	return program_result(run, NULL, (uint64_t)switches, duration,
	                      error == HEDDLE_OK && (uint64_t)switches == tasks * rounds);
}

static const struct program_parameter parameters[] = {
    {"tasks", 10, 1, 10000000, "how many tasks yield"},
    {"rounds", 20000, 1, 1000000000000, "yields of each task"},
    {"bind", 0, 0, 1, "1: bind the tasks to the processors in turn; 0: leave them to the scheduler"},
    {0}};

HEDDLE_PROGRAM(switch, "context switches by explicit yields (scheduler paper, Figure 8)", parameters, run);
