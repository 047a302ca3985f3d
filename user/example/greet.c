/*
 * A program outside the tree: tasks greet somebody, whose name is a word of the command line.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"

static intptr_t greet(size_t number, void *name)
{
	heddle_print("task %lu greets %s", number, (const char *)name);
	return 1;
}

static bool run(struct program_run *run)
{
	struct crew crew = {.name = "greet", .function = greet, .argument = (void *)program_text(run, "name")};
	intptr_t greeted = 0;
	crew.count = program_value(run, "tasks");
	if (crew_create(&crew) != HEDDLE_OK)
		return program_failed(run, "no memory for the tasks");
	uint64_t start = heddle_clock();
	crew_start(&crew);
	bool joined = crew_join(&crew, &greeted) == HEDDLE_OK;
	return program_result(run, "own", crew.count, heddle_clock() - start,
	                      joined && (size_t)greeted == crew.count);
}

static const struct program_parameter parameters[] = {
    {"tasks", 3, 1, 1000, "how many tasks greet"}, {"name", .help = "who is greeted", .text = "nobody"}, {0}};

HEDDLE_PROGRAM(greet, "tasks greet somebody", parameters, run);
