/*
 * Mapped stacks, for sizes above Heddle's own (HEDDLE_TASK_STACK_MAXIMUM). Below each lies a page without access.
 */
#ifndef POSIX_STACKS_H
#define POSIX_STACKS_H

#include <stddef.h>

#include "heddle/task.h"

/* What is sure to be usable of Heddle's largest stack: a 16th of it may stay unused (task_options.stack_size). */
#define STACK_UNUSED_PART 15 /* of what is used */
#define STACK_USUAL       (HEDDLE_TASK_STACK_MAXIMUM / (STACK_UNUSED_PART + 1) * STACK_UNUSED_PART)

/* NULL: no memory. */
void *stack_map(size_t size);
void stack_unmap(void *stack, size_t size);

/* The size of stack that the process allows its first thread. */
size_t stack_of_process(void);

#endif
