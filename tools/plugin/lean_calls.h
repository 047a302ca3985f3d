/*
 * Lean calls: of a function that switches the task and so loses all registers, where the compiler is told that
 * and saves what it needs itself (switching paper, section 3.3; the calling convention that GCC has from 15 on
 * as preserve_none). The function is declared with HEDDLE_SWITCHES_BY(NAME) (heddle/attributes.h): NAME is its lean
 * entry, which goes on at the address on top of the stack.
 *
 * It is reached by a jump and comes back by one: a call and its return in two tasks would set the processor's
 * memory of return addresses off for all functions around it.
 */
#ifndef PLUGIN_LEAN_CALLS_H
#define PLUGIN_LEAN_CALLS_H

#include "gcc.h"

/* Early: let the registers be lost. */
rtl_opt_pass *lean_calls_pass_create();

/* Late, behind counter_hand_over(): replace the calls. */
void lean_calls_emit(function *compiled);

#endif
