/*
 * Stacks: their descriptions, apart from their memory, since a pool's objects keep their type.
 */
#ifndef SCHED_STACK_H
#define SCHED_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/pool.h"

struct stack {
	struct pool_object pooled;
	void *low;
	size_t size;
	bool guarded;
	bool lent;                     /* part of its guard is accessible (arch_stack_lend()) */
	struct pool *pool;             /* of its size */
	struct stack *next, *previous; /* while it is a generator's: the other generators' of its task */
};

/* A stack of at least `size` bytes, HEDDLE_TASK_STACK_MAXIMUM at most; NULL: no memory. */
struct stack *stack_take(size_t size);
void stack_give(struct stack *stack);

#endif
