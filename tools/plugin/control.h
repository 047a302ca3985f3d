/*
 * Functions that change or read state that a task may keep of its own (sched/control.h). The task declares that
 * first, so that the scheduler need not look at the state at each switch of every task. The plugin inserts
 * task_keep_control() (heddle/task.h) where control words or status flags of the vector or x87 unit are used: by an
 * instruction in an asm statement, a builtin function, or a function of the C library. It inserts heddle_keep_error()
 * at the beginning of a function that uses errno.
 */
#ifndef PLUGIN_CONTROL_H
#define PLUGIN_CONTROL_H

#include "gcc.h"

/* Over GIMPLE, before anything is inlined. */
void control_keep(function *compiled);

/* The same later, for errno. Returns whether the function uses it. */
bool errors_keep(function *compiled);

/* Make the compiler ignore a header that declares the address of errno as constant. Called for each declaration. */
void error_place_declared(void *declaration, void *unused);

/* Whether the function returns the address of errno: no switch may come before that was used. */
bool is_error_place(tree callee);

#endif
