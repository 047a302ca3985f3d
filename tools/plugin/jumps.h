/*
 * Jumps out of functions: longjmp() and its like leave functions that never return, which run on newer pieces of a
 * stack that grows, or were called back by foreign code. So wherever a function may come back from such a jump, it
 * calls heddle_stack_jumped() (sched/growth.h), which settles that. And with -fsplit-stack, where a function that calls
 * alloca(), or has an array of variable length, begins, it calls heddle_stack_entered(), which gives back what one
 * before it at the same depth was given by that.
 */
#ifndef PLUGIN_JUMPS_H
#define PLUGIN_JUMPS_H

#include "gcc.h"

/* A call of one of these, or of heddle_stack_landed(). It may change the counter. For the compiler it is a leaf:
 * nothing that it does jumps back here. */
gcall *settling_call(const char *name);

/* Whether a call that is there is one of these. They run no check. */
bool is_settling(tree callee);

/* Over GIMPLE, before anything is inlined. */
void jumps_settle(function *compiled);

#endif
