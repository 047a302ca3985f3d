/*
 * What the scheduler does when something goes wrong in a task: what panic.c asks of it.
 */
#ifndef SCHED_FAULT_H
#define SCHED_FAULT_H

#include "kernel/panic.h"

extern const struct panic_scheduler fault_interface;

/* Called by the machine (arch_return_overflowed()): the current task ends. */
_Noreturn void stack_overflowed(void);

#endif
