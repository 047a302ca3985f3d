/*
 * The end of a task whose stack would have to grow (growth.h), and does not. It runs on the processor's stack.
 */
#ifndef SCHED_GROWTH_REFUSAL_H
#define SCHED_GROWTH_REFUSAL_H

#include "sched/task.h"

struct arch_place;

/* The task's stack would become larger than it may. */
_Noreturn void growth_refuse(struct task *task, const struct arch_place *place, size_t wanted);

/* The running stack is whole, a generator's or the task's own: it cannot grow, though code that is compiled for growing
 * stacks may run there. */
_Noreturn void growth_refuse_whole(struct task *task, const struct arch_place *place, size_t wanted);

/* There is no memory for the stack to grow. */
_Noreturn void growth_refuse_memory(struct task *task, const struct arch_place *place, size_t wanted);

#endif
