/*
 * A critical section that is a parallel loop (lock-algorithms paper, "Parallelizable CS"): the holder creates tasks
 * that share the work, and joins them before it unlocks. A good lock leaves the processors to these tasks.
 */
#include "heddle/system.h"
#include "user/bench/contest.h"

#define MEMBERS_MAXIMUM 64

struct loop {
	uint64_t members, size, expected;
	uint64_t ended; /* with the lock held */
};

static intptr_t member(void *argument)
{
	const struct loop *loop = argument;
	return idle_turns(loop->size) == loop->expected;
}

static bool section(void *argument)
{
	struct loop *loop = argument;
	struct task *tasks[MEMBERS_MAXIMUM];
	uint64_t created = 0, right = 0;
	while (created < loop->members && task_create(&tasks[created], member, loop, NULL) == HEDDLE_OK)
		created++;
	for (uint64_t i = 0; i < created; i++) {
		intptr_t result = 0;
		task_join(tasks[i], &result);
		right += (uint64_t)result;
	}
	loop->ended += right;
	return right == loop->members;
}

static bool is_right(const struct contest *contest)
{
	const struct loop *loop = contest->argument;
	return loop->ended == contest_sections(contest) * loop->members;
}

static bool run(struct program_run *run)
{
	struct loop loop = {.members = program_value(run, "members"), .size = program_value(run, "size")};
	struct contest contest = {.section = section,
	                          .argument = &loop,
	                          .failure =
	                              "not every task of every section has done its work, or work was left "
	                              "out: is there enough memory for that many tasks?"};
	loop.expected = idle_turns(loop.size);
	return contest_run(&contest, run, is_right);
}

static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS,
    CONTEST_PARAMETERS(100, 20, 10, 1000),
    {"members", 12, 1, MEMBERS_MAXIMUM, "tasks that a section makes"},
    {"size", 10000, 0, 1000000000, "idle turns of each of these"},
    {0}};

HEDDLE_PROGRAM(parallel, "sections that are parallel loops (lock-algorithms paper, \"Parallelizable CS\")",
               parameters, run);
