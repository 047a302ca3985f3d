/* The tasks of the scheduler's cases. */
#ifndef MODEL_TASK_MEMORY_H
#define MODEL_TASK_MEMORY_H

#include "explorer.h"

#define MODEL_TASKS (EXPLORE_STACKS - EXPLORE_PROCESSORS)

struct task;

/* In the order in which they were made. */
unsigned model_task_number(const struct task *task);

/* Name them, in a set-up. */
void model_task_name(void);

/* What is wrong, at the end, with the first `count` tasks, each of which must have been made and given back;
 * NULL: nothing. */
const char *model_task_check(unsigned count);

#endif
