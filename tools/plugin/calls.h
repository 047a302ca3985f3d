/*
 * Direct calls. They go to the other entry of the function that they name (entries.h):
 *
 *     call printf             becomes    call printf.heddle
 *     jmp  printf                        jmp  printf.heddle
 *
 * and this unit gives the name to whoever has none, weakly, so that the function itself has it where it was
 * compiled with the plugin:
 *
 *     printf.heddle:                     with -fsplit-stack   printf.heddle.grow:
 *             mov  (%rsp), %r11                                       mov  printf@GOTPCREL(%rip), %r10
 *             jmp  *printf@GOTPCREL(%rip)                             jmp  heddle_foreign
 *
 * The latter leads to where the function has room (arch/x86_64/foreign/foreign.asm); where it was called with arguments
 * on the stack it is printf.heddle.push, and r11 has their bytes. Functions that need next to nothing, or return
 * twice, are called where they are in either case. The address is there when the program starts: to find it at
 * the first call takes 3 KiB of stack.
 *
 * A function of this unit that the linker may replace by another's is called as a foreign one, by a way that looks
 * which it is.
 *
 * Checks whose quantum is spent go by a way too, for each set of live registers one: what it is they need not tell
 * themselves. It has a frame, by which a back trace finds the function that it was called from.
 *
 *     heddle_quantum_spent.heddle.f:     push %rbp; mov %rsp, %rbp
 *             call heddle_quantum_spent
 *             nopl WORD(%rax)
 *             pop  %rbp; ret
 */
#ifndef PLUGIN_CALLS_H
#define PLUGIN_CALLS_H

#include <string>

#include "gcc.h"
#include "live.h"

/* Last of all, when nothing looks any more at whom is called. */
void calls_redirect(function *compiled);

/* The way of a call by address to what is no instrumented code, with so many bytes of arguments on the stack. */
std::string foreign_way(HOST_WIDE_INT bytes);

/* The way of a check to where the task is switched. */
std::string spent_way(const live_words &live);

/* Put all ways into the assembly that is being written. */
void ways_write();

#endif
