/*
 * Tasks with growing stacks, in a program of one file: each recurses far deeper than a whole stack would allow. The C
 * library is only called outside of them.
 */
#include <heddle/host.h>
#include <heddle/task.h>
#include <stdio.h>

#define TASKS  20
#define LEVELS 2000
#define FRAME  200

static intptr_t levels_below(intptr_t level)
{
	volatile char frame[FRAME];
	frame[level % FRAME] = 1;
	return level == 0 ? 0 : levels_below(level - 1) + frame[level % FRAME];
}

/* A task. */
static intptr_t descend(void *levels)
{
	return levels_below((intptr_t)levels);
}

/* A task: how many levels all others together have descended; -1: one could not be created, or failed. */
static intptr_t descend_together(void *levels)
{
	struct task *tasks[TASKS];
	intptr_t sum = 0;
	for (int i = 0; i < TASKS; i++)
		if (task_create(&tasks[i], descend, levels, NULL) != HEDDLE_OK)
			return -1;
	for (int i = 0; i < TASKS; i++) {
		intptr_t gone;
		if (task_join(tasks[i], &gone) != HEDDLE_OK)
			return -1;
		sum += gone;
	}
	return sum;
}

int main(void)
{
	intptr_t sum = -1;
	if (heddle_start("processors=2") != HEDDLE_OK ||
	    heddle_run(descend_together, (void *)LEVELS, &sum) != HEDDLE_OK)
		return 1;
	printf("%ld levels\n", (long)sum);
	return heddle_stop();
}
