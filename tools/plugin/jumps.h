/*
 * Jumps out of functions, with -fsplit-stack: longjmp() and its like leave functions that run on newer pieces of
 * the task's stack, and these never return. So wherever a function may come back from such a jump, it calls
 * heddle_stack_jumped() (sched/growth.h), which gives the pieces back. And where a function that calls alloca(), or
 * has an array of variable length, begins, it calls heddle_stack_entered(), which gives back what one before it at
 * the same depth was given by that.
 */
#ifndef PLUGIN_JUMPS_H
#define PLUGIN_JUMPS_H

#include "gcc.h"

/* Over GIMPLE, before anything is inlined. */
void jumps_settle(function *compiled);

#endif
