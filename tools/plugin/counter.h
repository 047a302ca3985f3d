/*
 * The counter of the quantum: the low half of register r15d (arch/x86_64/quantum_counter.h). The register is reserved
 * in all code that the plugin compiles. A subtraction from a register is the cheapest check there is; one from memory
 * costs five times as much where checks stand close.
 *
 * While a task is in the scheduler, the counter is in the processor's block, where the scheduler may change it.
 * Checks that poll (-fplugin-arg-heddle-poll) do not count: they look whether the counter there is spent. A clock tick
 * or another processor makes it so (arch/hosted/ticks.h). They leave the register to calls of code that counts.
 */
#ifndef PLUGIN_COUNTER_H
#define PLUGIN_COUNTER_H

#include <string>

#include "gcc.h"

/* Keep the register out of the compiler's hands; when the plugin is loaded. */
void counter_reserve();

/* Report an error for each instruction that changes the counter; an asm statement or a register variable of the
 * program may. Returns whether there was none. Before the checks are emitted. */
bool counter_is_untouched(function *compiled);

/* What a check looks at. */
enum class counter_end { sign, overflow };

/* The instructions of a check that charges so much, which jump to label 0 if the quantum is spent. */
std::string counter_check(unsigned charge, counter_end end);

/* The same, but they jump to it unless the quantum is spent, by overflow. */
std::string counter_check_in_jump(unsigned charge);

/* For code that is written as text: the counter into the processor's block, and from there; and a check that jumps to
 * local label 1 if the quantum is not spent. */
std::string counter_store_text();
std::string counter_load_text();
std::string counter_check_text(unsigned charge);

/* The counter is stored before and loaded after calls that may switch the task or make another ready, and calls of
 * functions that return twice. Before calls that do not return, such as longjmp, it is stored: a jump back would
 * restore an old one. */
void counter_hand_over(function *compiled);

/* Whether this is a store or a load that counter_hand_over() made. */
bool counter_is_moved(const rtx_insn *insn);

/* Whether the counter is in the block at this place: then a check would change the register in vain. After
 * counter_hand_over(). */
bool counter_is_in_block(const rtx_insn *before);

/* Whether it calls anything: the compiler represents vzeroupper as a call of address 0, for what it changes. */
bool is_real_call(const rtx_insn *insn);

/* The function that a call names, if it names one. */
tree callee_of(const rtx_insn *insn);

/* An asm statement of the plugin's own that changes no register but the flags, and may jump to a label; or it leaves a
 * value in a register. */
rtx assembly_make(const std::string &text, rtx_code_label *label, rtx value = nullptr);

#endif
