/*
 * -fsplit-stack. For frames below 256 bytes the compiler compares the stack pointer itself with the limit, and so
 * wants 256 bytes below the limit. A task's whole stack is hardly more. So the plugin makes each function compare the
 * size of its own frame, with what the HEDDLE_DEEP functions of the kernel need that it calls.
 * A small function that calls nothing and has no check is not compared: as much as it needs is below every limit.
 * Where a function that needs little was compiled before its callers in this unit, they compare for it as well, and
 * call it behind its comparison; if it has no other callers, it has none.
 */
#ifndef PLUGIN_GROWTH_H
#define PLUGIN_GROWTH_H

#include <string>

#include "gcc.h"

#define GROWTH_WAY "heddle_grow." /* how the names begin of ways to __morestack (calls.h) */

/* Whether an instruction is the call that gives the function more stack. */
bool is_growth(const rtx_insn *insn);

/* Whether it is the call that gives alloca() or an array memory from elsewhere. */
bool is_allocation(const rtx_insn *insn);

/* What such a call asks for, and the instructions right before it that say so; null: it is not known. */
struct growth_sizes {
	HOST_WIDE_INT frame, bytes; /* of arguments on the stack */
	rtx_insn *frame_set, *bytes_set;
};
growth_sizes growth_sizes_of(rtx_insn *call);

/* Late, when frames have their sizes, and before checks are placed. */
void growth_compare_frame(function *compiled);

/* The same, when it is known that the function has no check. */
void growth_spare_leaf(function *compiled);

/* The block where a function goes on, if it begins with a comparison and does nothing else before; null: it does
 * not. */
basic_block growth_body(function *compiled);

/* When checks have been emitted: let callers compare for the function. */
void growth_open(function *compiled);

/* Let a function that begins with the comparison get more stack by code in front of it, after which it begins again,
 * instead of by code behind it that jumps back: returns that code, which begins with the label; "": it stays as it is.
 * When calls have been redirected. */
std::string growth_move(function *compiled, const std::string &label);

/* Where the function that is being compiled calls another one behind its comparison; "": it does not. */
std::string growth_start_behind(tree callee);

#endif
