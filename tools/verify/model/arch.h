/* The machine as the scheduler's cases need it. */
#ifndef MODEL_ARCH_H
#define MODEL_ARCH_H

#include "arch/arch.h"

/* The assumed lowest word of every stack. */
extern uint64_t model_canary;

/* The value of arch_clock(): 0, unless a case lets time pass. */
extern uint64_t model_clock;

/* explore_wait() in a task's own code: the task may be interrupted meanwhile. */
void model_task_wait(bool (*ready)(void *), void *argument);

/* For model_task_wait(): whether all interrupts have come and are over. */
bool model_no_interrupt(void *unused);

/* The explorer's number of a context's stack. */
unsigned model_stack_of(const struct arch_context *context);

/* What a new task does first: run the finalizer for the task that was left. */
void model_finalize(void);

#endif
