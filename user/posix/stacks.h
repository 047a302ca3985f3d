/*
 * Mapped stacks, for large sizes: Heddle would keep their memory. Below each lies a page without access.
 */
#ifndef POSIX_STACKS_H
#define POSIX_STACKS_H

#include <stddef.h>

#include "heddle/task.h"

/* The largest stack that is one of Heddle's, and what is sure to be usable of it: a 16th of it may stay unused
 * (task_options.stack_size). */
#define STACK_OF_HEDDLE   ((size_t)1 << 20)
#define STACK_UNUSED_PART 15 /* of what is used */
#define STACK_USUAL       (STACK_OF_HEDDLE / (STACK_UNUSED_PART + 1) * STACK_UNUSED_PART)

/* NULL: no memory. */
void *stack_map(size_t size);
void stack_unmap(void *stack, size_t size);

/* The size of stack that the process allows its first thread. */
size_t stack_of_process(void);

#endif
