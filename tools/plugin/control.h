/*
 * Functions that change the control words of the vector or the x87 unit: by an instruction in an asm
 * statement, a builtin function, or a function of the C library. Before each the task says that it keeps
 * them, by a call of task_keep_control() (heddle/task.h), so that the scheduler need not look at them at each
 * switch of every task.
 */
#ifndef PLUGIN_CONTROL_H
#define PLUGIN_CONTROL_H

#include "gcc.h"

/* Over GIMPLE, before anything is inlined. */
void control_keep(function *compiled);

#endif
