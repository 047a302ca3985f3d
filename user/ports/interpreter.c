#include "user/ports/interpreter.h"

#include "heddle/task.h"
#include "user/ports/allocate.h"
#include "user/ports/checksum.h"
#include "user/ports/library.h"
#include "user/ports/rounds.h"

struct work {
	struct program_run *run;
	const struct interpreter *interpreter;
	uint64_t size, rounds;
	unsigned first, count; /* the scripts to run */
	struct script_outcome alone[INTERPRETER_SCRIPTS];
};

/* Run a script in the calling task. False: it failed; the outcome says why. */
static bool run_one(const struct work *work, unsigned number, struct script_outcome *outcome)
{
	struct arena arena = {0};
	int error = 0;
	library_begin(&error);
	allocate_begin(&arena);
	bool well = work->interpreter->run(&work->interpreter->scripts[number], work->size, outcome);
	allocate_begin(NULL);
	arena_end(&arena);
	return well;
}

static const char *script_name(const struct work *work, unsigned number)
{
	return work->interpreter->scripts[number].name;
}

static bool script_failed(const struct work *work, unsigned number, const struct script_outcome *outcome)
{
	return program_failed(work->run, "script %s: %s", script_name(work, number), outcome->complaint);
}

/* Returns how many scripts succeeded. Each runs in one piece, without checks. */
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

/* Returns how many rounds printed the right output. */
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
			               member, script_name(work, work->first + turn), outcome.bytes, outcome.checksum,
			               wanted->bytes, wanted->checksum);
	}
	return well;
}

static bool run_crew(struct work *work, intptr_t (*function)(size_t member, void *argument), size_t count,
                     intptr_t *well, uint64_t *nanoseconds)
{
	struct crew crew = {.name = work->interpreter->name,
	                    .function = function,
	                    .argument = work,
	                    .count = count,
	                    .stack_size = work->interpreter->stack_size};
	return rounds_time(work->run, &crew, well, nanoseconds);
}

static unsigned count_scripts(const struct interpreter *interpreter)
{
	unsigned count = 0;
	while (interpreter->scripts[count].name)
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

bool interpreter_run(struct program_run *run, const struct interpreter *interpreter)
{
	uint64_t only = program_value(run, "script"), tasks = program_value(run, "tasks"), nanoseconds;
	struct work work = {.run = run,
	                    .interpreter = interpreter,
	                    .size = program_value(run, "size"),
	                    .rounds = program_value(run, "rounds")};
	unsigned scripts = count_scripts(interpreter);
	intptr_t well;

	if (only > scripts)
		return program_failed(run, "there are only %u scripts", scripts);
	work.first = only ? (unsigned)only - 1 : 0;
	work.count = only ? 1 : scripts - 1;
	if (!run_crew(&work, run_alone, 1, &well, &nanoseconds) || well != (intptr_t)work.count)
		return false;
	if (!run_crew(&work, run_rounds, tasks, &well, &nanoseconds))
		return false;
	uint64_t operations = tasks * work.rounds;
	program_result_extra(run, "checksum", checksum_of(&work));
	return program_result(run, only ? script_name(&work, work.first) : "all scripts", operations, nanoseconds,
	                      (uint64_t)well == operations);
}
