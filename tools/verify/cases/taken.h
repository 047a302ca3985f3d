/*
 * The tasks that a case puts into a queue, and what was taken of them: each once, and by each processor in order. The
 * case defines TASKS before, and has struct task.
 */
#ifndef TOOLS_VERIFY_CASES_TAKEN_H
#define TOOLS_VERIFY_CASES_TAKEN_H

#include "explorer.h"

static struct task tasks[TASKS];
static unsigned put, taken[TASKS];
static unsigned last_taken[EXPLORE_PROCESSORS]; /* by processor: the number of the task + 1 */

/* Each processor takes in order: tasks do not overtake each other. Returns what is wrong; NULL: nothing. */
static const char *wrong_with(struct task *task)
{
	unsigned number = (unsigned)(task - tasks) + 1, processor = explore_processor();
	if (number - 1 >= put)
		return "what was taken is no task that was put";
	if (taken[number - 1]++)
		return "a task is taken twice";
	if (number < last_taken[processor])
		return "a task is taken after a later one";
	last_taken[processor] = number;
	return NULL;
}

static void count(struct task *task)
{
	const char *wrong = wrong_with(task);
	if (wrong)
		explore_fail("task %c: %s", 'A' + (int)(task - tasks), wrong);
}

/* What was not taken is still there, in order. Returns what is wrong; NULL: nothing. */
static const char *wrong_with_rest(struct task *(*take)(void))
{
	last_taken[0] = 0;
	for (struct task *task; (task = take());) {
		const char *wrong = wrong_with(task);
		if (wrong)
			return wrong;
	}
	for (unsigned i = 0; i < put; i++)
		if (taken[i] != 1)
			return "a task was lost";
	return NULL;
}

#endif
