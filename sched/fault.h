/*
 * What the scheduler does when something goes wrong in a task: what panic.c asks of it.
 */
#ifndef SCHED_FAULT_H
#define SCHED_FAULT_H

#include "kernel/panic.h"

extern const struct panic_scheduler fault_interface;

#endif
