/*
 * Calls by address, of what is not known to the compiler. Each has the address that it wants to go on at in r11,
 * by which an instrumented function knows that its caller is one as well (entries.h):
 *
 *             lea  1f(%rip), %r11          before a jump at the end of a function: mov (%rsp), %r11
 *             call *%rax
 *     1:
 *
 * With -fsplit-stack what is called may have no room where it is, if it is foreign: that is what does not begin as
 * instrumented functions do.
 *
 *             mov  %rax, %r10
 *             lea  1f(%rip), %r11
 *             cmpl $ENTRY_CODE, (%r10)
 *             jne  cold                    cold:   mov %r10, %r11
 *     back:   call *%r10                           lea heddle_foreign.0(%rip), %r10
 *     1:                                           jmp back
 */
#ifndef PLUGIN_POINTERS_H
#define PLUGIN_POINTERS_H

#include <string>
#include <vector>

#include "gcc.h"

/* How far behind a function's address ENTRY_CODE is: behind the mark of an indirect jump's target, where functions
 * have one. */
std::string entry_code_offset();

/* Instructions that go with a call, so that none is overlooked. */
unsigned call_extra(const rtx_insn *call);

/* All of a function. */
void calls_by_address_emit(const std::vector<rtx_insn *> &calls);

#endif
