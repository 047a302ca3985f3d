/* Runs the measurement of calls.c in a thread of Linux or, with -DTASKS, in a task, and prints both figures. Compiled
 * like calls.c: that determines what stack the task has. */
#include <stdio.h>
#ifdef TASKS
#	include <heddle/host.h>
#	include <heddle/task.h>
#endif

#include "calls.h"

#ifdef TASKS
static intptr_t begin(void *calls)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	intptr_t result;
	return task_create(&task, calls_measure, calls, &options) != HEDDLE_OK ||
	       task_join(task, &result) != HEDDLE_OK || result;
}

static int run(struct calls *calls)
{
	intptr_t result;
	if (heddle_start("processors=1") != HEDDLE_OK || heddle_run(begin, calls, &result) != HEDDLE_OK || result)
		return 1;
	return heddle_stop();
}
#else
static int run(struct calls *calls)
{
	return (int)calls_measure(calls);
}
#endif

int main(void)
{
	struct calls calls;
	if (run(&calls) != 0)
		return 1;
	printf("%f %f\n", calls.inside, calls.outside);
	return 0;
}
