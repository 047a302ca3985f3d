/*
 * What the scheduler knows of generators (heddle/generator.h): their stacks.
 */
#ifndef SCHED_GENERATOR_H
#define SCHED_GENERATOR_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* Find the stack that an address lies in: the one that the task runs on, or one that it returns to from there. False:
 * the address lies in none of them. For reports: this does not look past a generator that has overflowed. */
bool generator_stack_around(const struct task *task, uintptr_t address, uintptr_t *low, uintptr_t *high,
                            bool *guarded);

/* Give back the stacks of the generators of a task that has ended. */
void generator_release_stacks(struct task *task);

#endif
