/*
 * SQLite, a database in each task. It is built so that each database is one task's at a time; what they all share has locks.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"
#include "user/ports/allocate.h"
#include "user/ports/checksum.h"
#include "user/ports/database.h"
#include "user/ports/database_locks.h"
#include "user/ports/library.h"

#define STACK_BYTES ((size_t)128 << 10)

struct work {
	struct program_run *run;
	uint64_t size, rounds;
	uint64_t *checksums; /* one a task */
};

static bool run_round(const struct work *work, uint64_t number, struct database_outcome *outcome)
{
	struct arena arena = {0};
	allocate_begin(&arena);
	bool well = database_run(number, work->size, outcome);
	allocate_begin(NULL);
	arena_end(&arena);
	return well || program_failed(work->run, "database %lu: %s", number, outcome->complaint);
}

/* Gives back how many rounds went well. */
static intptr_t run_rounds(size_t member, void *argument)
{
	const struct work *work = argument;
	struct database_outcome outcome;
	uint64_t checksum = CHECKSUM_START;
	intptr_t well = 0;
	int error = 0;
	library_begin(&error);
	for (uint64_t round = 0; round < work->rounds; round++) {
		well += run_round(work, member * work->rounds + round, &outcome);
		checksum = checksum_add(checksum, &outcome.checksum, sizeof(outcome.checksum));
	}
	work->checksums[member] = checksum;
	return well;
}

static bool run_crew(struct work *work, uint64_t tasks)
{
	struct crew crew = {.name = "sqlite3", .function = run_rounds, .argument = work, .count = tasks};
	intptr_t well;
	crew.stack_size = STACK_BYTES;
	enum heddle_error error = crew_create(&crew);
	uint64_t start = heddle_clock();
	if (error == HEDDLE_OK) {
		crew_start(&crew);
		error = crew_join(&crew, &well);
	}
	uint64_t nanoseconds = heddle_clock() - start;
	if (error != HEDDLE_OK)
		return program_failed(work->run, "%lu tasks: %s", tasks, heddle_error_text(error));
	uint64_t operations = tasks * work->rounds;
	/* tools/checks/ports_reference.c computes the same */
	program_result_extra(work->run, "checksum",
	                     checksum_add(CHECKSUM_START, work->checksums, tasks * sizeof(*work->checksums)));
	return program_result(work->run, NULL, operations, nanoseconds, (uint64_t)well == operations);
}

/* What SQLite allocates for all databases, where no task's arena is. */
static bool run_within(struct work *work, uint64_t tasks)
{
	struct arena arena = {0};
	int error = 0;
	library_begin(&error);
	allocate_begin(&arena);
	bool well = database_use_locks() && database_begin()
	                ? run_crew(work, tasks)
	                : program_failed(work->run, "SQLite could not begin");
	database_end();
	allocate_begin(NULL);
	arena_end(&arena);
	return well;
}

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks");
	size_t bytes = tasks * sizeof(uint64_t);
	struct work work = {.run = run,
	                    .size = program_value(run, "size"),
	                    .rounds = program_value(run, "rounds"),
	                    .checksums = heddle_allocate(bytes)};
	bool well =
	    work.checksums ? run_within(&work, tasks) : program_failed(run, "no memory for %lu results", tasks);
	heddle_free(work.checksums, bytes);
	return well;
}

static const struct program_parameter parameters[] = {
    {"tasks", 200, 1, 100000, "tasks, each with databases of its own"},
    {"rounds", 1, 1, 1000000000, "databases that each task fills and asks, one after the other"},
    {"size", 200, 1, 100000, "rows of a database"},
    {0}};

PROGRAM(sqlite3, "SQLite in each task: fill a database, ask it, change it", parameters, run);
