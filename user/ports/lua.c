/*
 * Lua's interpreter, one in each task. What a script prints must not depend on what else runs: it is compared
 * with what the same script printed when it ran alone.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/ports/arena.h"
#include "user/ports/checksum.h"
#include "user/ports/library.h"
#include "user/ports/script.h"

#include <string.h>

#define SCRIPTS_MAXIMUM 16

/* Lua stops after 200 calls that go through C. Those of string.gsub need the most of all that were tried: 409
 * KiB. */
#define STACK_BYTES ((size_t)512 << 10)

struct work {
	struct program_run *run;
	uint64_t size, rounds;
	unsigned first, count; /* the scripts that are run */
	struct script_outcome alone[SCRIPTS_MAXIMUM];
};

static void *allocate(void *arena, void *block, size_t old_bytes, size_t new_bytes)
{
	if (new_bytes == 0) {
		arena_free(arena, block, old_bytes);
		return NULL;
	}
	void *moved = arena_allocate(arena, new_bytes);
	if (moved && block) {
		memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
		arena_free(arena, block, old_bytes);
	}
	return moved;
}

/* Run a script in the calling task. False: it failed; the outcome says why. */
static bool run_one(const struct work *work, unsigned number, struct script_outcome *outcome)
{
	struct arena arena = {0};
	int error = 0;
	library_begin(&error);
	bool well = script_run(&scripts[number], work->size, allocate, &arena, outcome);
	arena_end(&arena);
	return well;
}

static bool script_failed(const struct work *work, unsigned number, const struct script_outcome *outcome)
{
	return program_failed(work->run, "script %s: %s", scripts[number].name, outcome->complaint);
}

/* Gives back how many scripts ran well. Each is one piece that no check interrupts. */
static intptr_t run_alone(size_t member, void *argument)
{
	struct work *work = argument;
	intptr_t well = 0;
	(void)member;
	for (unsigned i = 0; i < work->count; i++) {
		uncooperative_begin();
		bool ran = run_one(work, work->first + i, &work->alone[i]);
		uncooperative_end();
		well += ran || script_failed(work, work->first + i, &work->alone[i]);
	}
	return well;
}

/* Gives back how many rounds printed what they should. */
static intptr_t run_rounds(size_t member, void *argument)
{
	const struct work *work = argument;
	intptr_t well = 0;
	for (uint64_t round = 0; round < work->rounds; round++) {
		unsigned turn = (unsigned)((member + round) % work->count);
		const struct script_outcome *wanted = &work->alone[turn];
		struct script_outcome outcome;
		if (!run_one(work, work->first + turn, &outcome))
			script_failed(work, work->first + turn, &outcome);
		else if (outcome.checksum == wanted->checksum && outcome.bytes == wanted->bytes)
			well++;
		else
			program_failed(work->run,
			               "task %lu: script %s printed %lu bytes (checksum %lx) instead of %lu (%lx)",
			               member, scripts[work->first + turn].name, outcome.bytes, outcome.checksum,
			               wanted->bytes, wanted->checksum);
	}
	return well;
}

/* Run a crew; gives back the sum of its results and the time that it took, in nanoseconds. */
static bool run_crew(struct work *work, struct crew *crew, intptr_t *sum, uint64_t *nanoseconds)
{
	crew->name = "lua";
	crew->argument = work;
	crew->stack_size = STACK_BYTES;
	enum heddle_error error = crew_create(crew);
	if (error == HEDDLE_OK) {
		uint64_t start = heddle_clock();
		crew_start(crew);
		error = crew_join(crew, sum);
		*nanoseconds = heddle_clock() - start;
	}
	return error == HEDDLE_OK ||
	       program_failed(work->run, "%lu tasks: %s", crew->count, heddle_error_text(error));
}

static unsigned count_scripts(void)
{
	unsigned count = 0;
	while (scripts[count].name)
		count++;
	return count;
}

/* One number for all scripts; tools/checks/ports_reference.c computes the same. */
static uint64_t checksum_of(const struct work *work)
{
	uint64_t checksum = CHECKSUM_START;
	for (unsigned i = 0; i < work->count; i++)
		checksum = checksum_add(checksum, &work->alone[i].checksum, sizeof(work->alone[i].checksum));
	return checksum;
}

static bool run(struct program_run *run)
{
	uint64_t only = program_value(run, "script"), tasks = program_value(run, "tasks"), nanoseconds;
	struct work work = {
	    .run = run, .size = program_value(run, "size"), .rounds = program_value(run, "rounds")};
	struct crew alone = {.function = run_alone, .count = 1};
	struct crew together = {.function = run_rounds, .count = tasks};
	intptr_t well;

	if (only > count_scripts())
		return program_failed(run, "there are only %u scripts", count_scripts());
	work.first = only ? (unsigned)only - 1 : 0;
	work.count = only ? 1 : count_scripts() - 1;
	if (!run_crew(&work, &alone, &well, &nanoseconds) || well != (intptr_t)work.count)
		return false;
	if (!run_crew(&work, &together, &well, &nanoseconds))
		return false;
	uint64_t operations = tasks * work.rounds;
	program_result_extra(run, "checksum", checksum_of(&work));
	return program_result(run, only ? scripts[work.first].name : "all scripts", operations, nanoseconds,
	                      (uint64_t)well == operations);
}

static const struct program_parameter parameters[] = {
    {"tasks", 200, 1, 100000, "tasks, each with an interpreter of its own"},
    {"rounds", 1, 1, 1000000000, "scripts that each task runs, one after the other"},
    {"size", 10, 1, 1000, "how much a script does"},
    {"script", 0, 0, SCRIPTS_MAXIMUM,
     "which script, 0 for each but the last in turn; that needs 32 MB a task"},
    {0}};

PROGRAM(lua, "Lua's interpreter in each task, its output compared", parameters, run);
