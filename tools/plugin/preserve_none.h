/*
 * Functions that preserve no register: rbx, r12, r13 and r14 are lost where one is called, so it saves none of them,
 * and its callers save what they need afterwards (switching paper, section 3.3). The frame pointer is preserved, and
 * the counter is not the compiler's to lose. Two options say which functions do so:
 *   - preserve-none=FILE: those of these assembler names, one a line, in each unit that is compiled with the file. It
 *     is an error if the address of one is taken: a call by its address would not know;
 *   - preserve-none-auto: those that call one, or a function of HEDDLE_SWITCHES_BY, and are only called directly, in
 *     their own unit; then those that call these.
 *
 * It is decided when no more is inlined. lean_calls.h tells the callers.
 */
#ifndef PLUGIN_PRESERVE_NONE_H
#define PLUGIN_PRESERVE_NONE_H

#include "gcc.h"

/* The registers that other functions preserve, except the frame pointer and the counter. */
constexpr unsigned lost_registers[] = {BX_REG, R12_REG, R13_REG, R14_REG};

/* Read the file of names. False: it cannot be used, and the compiler has reported it. */
bool preserve_none_read(const char *path);

/* Choose the functions: before the first one is compiled. */
void preserve_none_decide(void *unused, void *plugin);

/* Whether a function, of this unit or another, preserves none. */
bool preserves_none(tree function);

/* Over GIMPLE, last: no ordinary function ends with a jump to one of them, since it restores registers behind it. */
void preserve_none_return(function *compiled);

/* Before registers are given out: the function may use the lost ones freely; and when it is compiled. */
void preserve_none_begin(function *compiled);
void preserve_none_end(void *unused, void *unused_either);

#endif
