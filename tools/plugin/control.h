/*
 * Functions that change or look at what a task may keep of its own (sched/control.h): so that the scheduler need not
 * look at it at each switch of every task, the task says so before. That is task_keep_control() (heddle/task.h)
 * where control words or reports of the vector or the x87 unit are used, by an instruction in an asm statement, a
 * builtin function, or a function of the C library; and heddle_keep_error() where a function begins that uses errno.
 */
#ifndef PLUGIN_CONTROL_H
#define PLUGIN_CONTROL_H

#include "gcc.h"

/* Over GIMPLE, before anything is inlined. */
void control_keep(function *compiled);

/* The same later, for errno. Returns whether the function uses it. */
bool errors_keep(function *compiled);

/* Have the compiler believe no header that this is the same whenever it is asked for: called for each declaration. */
void error_place_declared(void *declaration, void *unused);

/* Whether the function says where errno is: nothing may switch until that has been used. */
bool is_error_place(tree callee);

#endif
