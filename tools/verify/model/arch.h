/* The machine as the scheduler's cases need it. */
#ifndef MODEL_ARCH_H
#define MODEL_ARCH_H

#include "arch/arch.h"

/* What every stack's lowest word is taken to be. */
extern uint64_t model_canary;

/* What arch_clock() says: 0, but where a case lets time pass. */
extern uint64_t model_clock;

/* What explore_wait() is in a task's own code: it is interrupted meanwhile. */
void model_task_wait(bool (*ready)(void *), void *argument);

/* For model_task_wait(): whether all interrupts have come and are over. */
bool model_no_interrupt(void *unused);

/* The explorer's number of a context's stack. */
unsigned model_stack_of(const struct arch_context *context);

/* What a new task does first: run the finalizer of the task that was left for it. */
void model_finalize(void);

#endif
