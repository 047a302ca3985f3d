/*
 * Mapped stacks, for what is larger than Heddle's own (HEDDLE_TASK_STACK_MAXIMUM). Below each lies a page without
 * access.
 */
#ifndef POSIX_STACKS_H
#define POSIX_STACKS_H

#include <stddef.h>

#include "heddle/task.h"

/* What Heddle's largest stack is sure to have: a 16th of it may stay unused (task_options.stack_size). */
#define STACK_UNUSED_PART 15 /* of what is used */
#define STACK_USUAL       (HEDDLE_TASK_STACK_MAXIMUM / (STACK_UNUSED_PART + 1) * STACK_UNUSED_PART)

/* NULL: no memory. */
void *stack_map(size_t size);
void stack_unmap(void *stack, size_t size);

/* How much the process lets its first thread have. */
size_t stack_of_process(void);

#endif
