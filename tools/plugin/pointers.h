/*
 * Calls by address, of functions that the compiler does not know. Each has its return address in r11, by which an
 * instrumented function knows that its caller is instrumented as well (entries.h):
 *
 *             lea  1f(%rip), %r11          before a jump at the end of a function: mov (%rsp), %r11
 *             call *%rax
 *     1:
 *
 * With -fsplit-stack, a foreign function may have no room on the running stack. A function is foreign if it does not
 * begin as instrumented functions do.
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

/* The distance of ENTRY_CODE from a function's address: it comes after the mark of an indirect jump's target, if
 * functions have one. */
std::string entry_code_offset();

/* The instructions that go with a call, so that they are counted. */
unsigned call_extra(const rtx_insn *call);

/* All of a function. */
void calls_by_address_emit(const std::vector<rtx_insn *> &calls);

#endif
