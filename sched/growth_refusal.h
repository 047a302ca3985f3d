/*
 * The end of a task whose stack would have to grow (growth.h), and does not. It runs on the processor's stack.
 */
#ifndef SCHED_GROWTH_REFUSAL_H
#define SCHED_GROWTH_REFUSAL_H

#include "sched/task.h"

struct arch_place;

/* It would come to have more than it may. */
_Noreturn void growth_refuse(struct task *task, const struct arch_place *place, size_t wanted);

/* It is a generator's, or the task has a whole one; code that is compiled for stacks that grow may run there. */
_Noreturn void growth_refuse_whole(struct task *task, const struct arch_place *place, size_t wanted);

/* There is no memory. */
_Noreturn void growth_refuse_memory(struct task *task, const struct arch_place *place, size_t wanted);

#endif
