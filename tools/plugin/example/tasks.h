#ifndef EXAMPLE_TASKS_H
#define EXAMPLE_TASKS_H

#include <heddle/task.h>

#define RUNNERS 10

struct race {
	int finished; /* runners that are done */
};

/* A task: runs a race, and returns how often the waiter looked; -1: something failed. */
intptr_t race_run(void *race);

#endif
