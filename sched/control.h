/*
 * Control words of the vector and x87 units: of most tasks they are what they are at boot, and reading them
 * at each switch would cost as much as all else of it. So a task that changes them says so before, by
 * task_keep_control(), which the compiler's plugin puts where it sees that; from then on its words are saved
 * and loaded at each of its switches, and no yield on any processor is plain (plain.h).
 */
#ifndef SCHED_CONTROL_H
#define SCHED_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "sched/task.h"

/* Whether any task has ever said so. Only ever set. */
extern atomic_bool control_is_kept;

/* At each switch. */
static inline void control_switch(struct task *left, struct task *next)
{
	/* relaxed: a task that keeps its words has set it, and came to this processor after that. */
	if (__builtin_expect(!atomic_load_explicit(&control_is_kept, memory_order_relaxed), 1) ||
	    !(left->keeps_control || next->keeps_control))
		return;
	left->control = arch_control();
	arch_control_set(next->control);
}

#endif
