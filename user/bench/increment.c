/*
 * A short critical section that switches (lock-algorithms paper, "Cache line increment CS"): two cache lines of four
 * numbers each; each number is incremented once, and there is a yield before the unlock.
 */
#include "user/bench/contest.h"

struct line {
	_Alignas(64) uint32_t numbers[4];
};

struct lines {
	struct line line[2];
};

static bool section(void *argument)
{
	struct lines *lines = argument;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned j = 0; j < 4; j++)
			lines->line[i].numbers[j]++;
	task_yield();
	return true;
}

static bool is_right(const struct contest *contest)
{
	const struct lines *lines = contest->argument;
	bool right = true;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned j = 0; j < 4; j++)
			right &= lines->line[i].numbers[j] == (uint32_t)contest_sections(contest);
	return right;
}

static bool run(struct program_run *run)
{
	struct lines lines = {0};
	struct contest contest = {.section = section,
	                          .argument = &lines,
	                          .failure = "the numbers are not the number of sections, or work was left out"};
	return contest_run(&contest, run, is_right);
}

static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS, CONTEST_PARAMETERS(100, 100, 100, 1000), {0}};

HEDDLE_PROGRAM(increment, "short sections that yield (lock-algorithms paper, \"Cache line increment CS\")",
               parameters, run);
