/*
 * The counter of the quantum: register r15, which is reserved in all code that the plugin compiles. A
 * subtraction from a register is the cheapest check there is; one from memory costs five times as much where
 * checks stand close.
 *
 * While a task is in the scheduler the processor's block has the counter, for whatever the scheduler wants to
 * make of it.
 */
#ifndef PLUGIN_COUNTER_H
#define PLUGIN_COUNTER_H

#include <string>

#include "gcc.h"

/* Keep the register out of the compiler's hands; when the plugin is loaded. */
void counter_reserve();

/* Reports an error for each instruction that changes the counter, as an asm statement or a register variable
 * of the program's may. Returns whether there was none. Before the checks are emitted. */
bool counter_is_untouched(function *compiled);

/* Around calls that may switch the task or make another ready, and of functions that return twice, the
 * counter is stored and loaded; before calls that do not return, as of longjmp, stored: a jump back would
 * restore it. */
void counter_hand_over(function *compiled);

/* Whether this is a store or a load that counter_hand_over() made. */
bool counter_is_moved(const rtx_insn *insn);

/* Whether at this place the block has the counter: a check would change the register in vain. After
 * counter_hand_over(). */
bool counter_is_in_block(const rtx_insn *before);

/* Whether it calls anything: the compiler has vzeroupper as a call of address 0, for what that changes. */
bool is_real_call(const rtx_insn *insn);

/* The function that a call calls, if the instruction names it. */
tree callee_of(const rtx_insn *insn);

/* An asm statement of the plugin's own that changes no register but the flags, and may jump to a label. */
rtx assembly_make(const std::string &text, rtx_code_label *label);

#endif
