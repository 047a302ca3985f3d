/*
 * What the scheduler knows of generators (heddle/generator.h): their stacks.
 */
#ifndef SCHED_GENERATOR_H
#define SCHED_GENERATOR_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* The stack that the task runs on, or one that it comes back to from there: the one that the address lies in.
 * False: none of them. For reports: a generator that has overflowed is not gone through. */
bool generator_stack_around(const struct task *task, uintptr_t address, uintptr_t *low, uintptr_t *high,
                            bool *guarded);

/* Give back the stacks of the generators of a task that was left for good. */
void generator_release_stacks(struct task *task);

#endif
