/*
 * The smallest program: some tasks, each on its own processor, print their names.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/task.h"

#define TASKS_MAXIMUM 64

static intptr_t say_hello(void *argument)
{
	(void)argument;
	heddle_print("%s runs on processor %u of %u", task_name(task_current()), heddle_processor(),
	             heddle_processors());
	return 1;
}

static bool run(struct program_run *run)
{
	static const char *const names[] = {"warp", "weft", "shuttle", "reed"};
	struct task *tasks[TASKS_MAXIMUM];
	const char *name = program_text(run, "name");
	uint64_t count = program_value(run, "tasks");
	intptr_t said = 0;

	for (uint64_t i = 0; i < count; i++) {
		struct task_options options = HEDDLE_TASK_OPTIONS;
		options.name = name[0] ? name : names[i % 4];
		options.bound = true;
		options.processor = (int)(i % heddle_processors());
		enum heddle_error error = task_create(&tasks[i], say_hello, NULL, &options);
		if (error != HEDDLE_OK) {
			program_failed(run, "cannot create task %lu: %s", i, heddle_error_text(error));
			count = i; /* join those that are there */
		}
	}
	for (uint64_t i = 0; i < count; i++) {
		intptr_t result = 0;
		task_join(tasks[i], &result);
		said += result;
	}
	return (uint64_t)said == program_value(run, "tasks");
}

static const struct program_parameter parameters[] = {
    {"tasks", 4, 1, TASKS_MAXIMUM, "how many tasks say hello"},
    {"name", .help = "their name; without one, they have parts of a loom", .text = ""},
    {0}};

HEDDLE_PROGRAM(hello, "tasks on different processors print their names", parameters, run);
