/* The tasks of the scheduler's cases. */
#ifndef MODEL_TASK_MEMORY_H
#define MODEL_TASK_MEMORY_H

#include "explorer.h"

#define MODEL_TASKS (EXPLORE_STACKS - EXPLORE_PROCESSORS)

struct task;

/* In the order in which they were made. */
unsigned model_task_number(const struct task *task);

/* Whether all that were made have ended, and left their stacks. */
bool model_task_all_left(void);

/* Ignore what is only for reports (explore_ignore()). In a set-up. */
void model_task_ignore(void);

/* Task `number`, which was made. */
struct task *model_task(unsigned number);

/* Name them, in a set-up. */
void model_task_name(void);

/* What is wrong at the end with the first `count` tasks, each of which must have been made and freed; NULL:
 * nothing. */
const char *model_task_check(unsigned count);

#endif
