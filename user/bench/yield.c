/*
 * The cost of an explicit yield among a few tasks (switching paper, Figure 15), with two ways to call it:
 *     lean   as the compiler's plugin calls it: all registers lost, a jump there and one back (user/README.md)
 *     usual  through a pointer, so by the usual calling convention
 * The words plain=off and colour=off undo the other steps of the figure: each yield looks at everything that a pick
 * looks at, and puts the task back by a finalizer; all stacks begin in the same sets of the cache. What remains is
 * the switch itself, which is inline and saves what its call site needs, and the queue, for which the owner executes
 * no locked instruction.
 *
 * Also measured: `empty`, the same loop without a yield, to be subtracted.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"

struct yields {
	uint64_t rounds;
	void (*yield)(void);
};

static intptr_t yield_lean(size_t number, void *argument)
{
	const struct yields *yields = argument;
	uint64_t done = 0;
	(void)number;
	for (; done < yields->rounds; done++)
		task_yield();
	return (intptr_t)done;
}

static intptr_t yield_usual(size_t number, void *argument)
{
	const struct yields *yields = argument;
	uint64_t done = 0;
	(void)number;
	for (; done < yields->rounds; done++)
		yields->yield();
	return (intptr_t)done;
}

static void return_at_once(void)
{
}

static bool measure(struct program_run *run, const char *variant, intptr_t (*function)(size_t, void *),
                    struct yields *yields)
{
	uint64_t tasks = program_value(run, "tasks");
	struct crew crew = {.name = "yield", .function = function, .argument = yields, .count = tasks};
	intptr_t done;
	enum heddle_error error = crew_create(&crew);
	if (error != HEDDLE_OK)
		return program_failed(run, "cannot create %lu tasks: %s", tasks, heddle_error_text(error));
	uint64_t start = heddle_clock();
	crew_start(&crew);
	error = crew_join(&crew, &done);
	return program_result(run, variant, (uint64_t)done, heddle_clock() - start,
	                      error == HEDDLE_OK && (uint64_t)done == tasks * yields->rounds);
}

static bool run(struct program_run *run)
{
	uint64_t rounds = program_value(run, "rounds");
	struct yields yields = {rounds, task_yield}, empty = {rounds, return_at_once};
	return measure(run, "lean", yield_lean, &yields) && measure(run, "usual", yield_usual, &yields) &&
	       measure(run, "empty", yield_usual, &empty);
}

static const struct program_parameter parameters[] = {
    {"tasks", 10, 1, 100000, "how many tasks yield"},
    {"rounds", 100000, 1, 1000000000000, "yields of each task"},
    {0}};

HEDDLE_PROGRAM(yield, "explicit yields, by two calling conventions (switching paper, Figure 15)", parameters,
               run);
