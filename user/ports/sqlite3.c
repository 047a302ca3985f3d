/*
 * SQLite, a database in each task. It is built so that each database belongs to one task at a time; locks protect
 * what all share.
 */
#include "user/ports/allocate.h"
#include "user/ports/checksum.h"
#include "user/ports/database.h"
#include "user/ports/database_locks.h"
#include "user/ports/library.h"
#include "user/ports/rounds.h"

#define STACK_BYTES ((size_t)128 << 10)

struct work {
	struct rounds rounds;
	uint64_t size;
};

static bool run_round(const struct work *work, uint64_t number, struct database_outcome *outcome)
{
	struct arena arena = {0};
	allocate_begin(&arena);
	bool well = database_run(number, work->size, outcome);
	allocate_begin(NULL);
	arena_end(&arena);
	return well || program_failed(work->rounds.run, "database %lu: %s", number, outcome->complaint);
}

/* Returns how many rounds succeeded. */
static intptr_t run_rounds(size_t member, void *argument)
{
	const struct work *work = argument;
	struct database_outcome outcome;
	uint64_t checksum = CHECKSUM_START;
	intptr_t well = 0;
	int error = 0;
	library_begin(&error);
	for (uint64_t round = 0; round < work->rounds.each; round++) {
		well += run_round(work, member * work->rounds.each + round, &outcome);
		checksum = checksum_add(checksum, &outcome.checksum, sizeof(outcome.checksum));
	}
	work->rounds.checksums[member] = checksum;
	return well;
}

static bool run(struct program_run *run)
{
	struct work work = {.rounds = {.run = run}, .size = program_value(run, "size")};
	struct crew crew = {
	    .name = "sqlite3", .function = run_rounds, .argument = &work, .stack_size = STACK_BYTES};
	struct arena arena = {0}; /* what SQLite allocates for all databases, outside any task's arena */
	int error = 0;
	library_begin(&error);
	allocate_begin(&arena);
	bool well = database_use_locks() && database_begin() ? rounds_run(&work.rounds, &crew)
	                                                     : program_failed(run, "SQLite could not begin");
	database_end();
	allocate_begin(NULL);
	arena_end(&arena);
	return well;
}

static const struct program_parameter parameters[] = {
    {"tasks", 200, 1, 100000, "tasks, each with databases of its own"},
    {"rounds", 1, 1, 1000000000, "databases that each task fills and queries, one after the other"},
    {"size", 200, 1, 100000, "rows of a database"},
    {0}};

HEDDLE_PROGRAM(sqlite3, "SQLite in each task: fill a database, query it, change it", parameters, run);
