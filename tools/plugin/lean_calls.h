/*
 * Lean calls: calls of a function that switches the task and so loses all registers. The compiler is told that, and
 * saves only what it needs (switching paper, section 3.3; GCC has this calling convention from 15 on, as
 * preserve_none). The function is declared with HEDDLE_SWITCHES_BY(NAME) (heddle/attributes.h): NAME is its lean
 * entry, which goes on at the address on top of the stack. A value that is used is what NAME_outcome() returns then.
 *
 * It is reached by a jump and returns by one: a call and its return in two different tasks would put the processor's
 * return-address predictions out of step for all functions around it.
 */
#ifndef PLUGIN_LEAN_CALLS_H
#define PLUGIN_LEAN_CALLS_H

#include "gcc.h"

/* Early: tell the compiler that the registers are lost. */
rtl_opt_pass *lean_calls_pass_create();

/* Late, after counter_hand_over(): replace the calls. */
void lean_calls_emit(function *compiled);

#endif
