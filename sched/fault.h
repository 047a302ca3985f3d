/*
 * What the scheduler does about a fault in a task; panic.c calls it.
 */
#ifndef SCHED_FAULT_H
#define SCHED_FAULT_H

#include "kernel/panic.h"

extern const struct panic_scheduler fault_interface;

#endif
