/*
 * Jumps out of functions: longjmp() and its like leave functions that never return, which ran on newer pieces of a
 * growing stack, or were called back by foreign code. So wherever such a jump may land, the function calls
 * heddle_stack_jumped() (sched/growth.h), which settles that. With -fsplit-stack, a function that calls alloca(), or
 * has an array of variable length, begins with a call of heddle_stack_entered(), which gives back what these gave to
 * an earlier function at the same depth.
 */
#ifndef PLUGIN_JUMPS_H
#define PLUGIN_JUMPS_H

#include "gcc.h"

/* Make a call of one of these, or of heddle_stack_landed(). It may change the counter. For the compiler it is a leaf:
 * nothing in it jumps back here. */
gcall *settling_call(const char *name);

/* Whether an existing call is one of these. They run no check. */
bool is_settling(tree callee);

/* Over GIMPLE, before anything is inlined. */
void jumps_settle(function *compiled);

#endif
