/*
 * Direct calls. They go to the other entry of the named function (entries.h):
 *
 *     call printf             becomes    call printf.heddle
 *     jmp  printf                        jmp  printf.heddle
 *
 * and this unit defines that name weakly, for functions that do not have it. If the function was compiled with the
 * plugin, it has the name itself:
 *
 *     printf.heddle:                     with -fsplit-stack   printf.heddle.grow:
 *             mov  (%rsp), %r11                                       mov  printf@GOTPCREL(%rip), %r10
 *             jmp  *printf@GOTPCREL(%rip)                             jmp  heddle_foreign
 *
 * The latter leads to code that gives the function room (arch/x86_64/foreign/foreign.asm). If there are arguments on
 * the stack, it is printf.heddle.push, and r11 has their size in bytes. Functions that return twice are called on the
 * running stack in either case: their stack must still be there then. So are lean functions (library.h), and without
 * the load of r11, since none of them looks. The address is resolved when the program starts: resolving it at the first
 * call would take 3 KiB of stack.
 *
 * A function of this unit that the linker may replace by another's is called as a foreign one, through code that
 * looks which it is.
 *
 * Checks whose quantum is spent go through such code too, one piece for each set of live registers, so that they need
 * not describe the set themselves. It has a frame, by which a back trace finds the calling function.
 *
 *     heddle_quantum_spent.heddle.f:     push %rbp; mov %rsp, %rbp
 *             call heddle_quantum_spent
 *             nopl WORD(%rax)
 *             pop  %rbp; ret
 *
 * An exception that lands is settled by way of code that hands the counter over and has a check, once for all landings:
 *
 *     heddle_stack_landed.heddle:        push %rbp; mov %rsp, %rbp
 *             mov  %r15d, counter        in the processor's block
 *             call heddle_stack_landed
 *             mov  counter, %r15d
 *             sub  $N, %r15d; jge 1f
 *             call heddle_quantum_spent; nopl 0(%rax)
 *     1:      pop  %rbp; ret
 *
 * Calls of __morestack load by way of code what it asks for, for each size of frame and arguments:
 *
 *     heddle_grow.128.0:
 *             mov  $128, %r10d; xor %r11d, %r11d
 *             jmp  __morestack
 */
#ifndef PLUGIN_CALLS_H
#define PLUGIN_CALLS_H

#include <string>

#include "gcc.h"
#include "live.h"

/* The last step, when nothing looks any more at which function is called. */
void calls_redirect(function *compiled);

/* The way for a call by address to foreign code, with so many bytes of arguments on the stack. */
std::string foreign_way(HOST_WIDE_INT bytes);

/* The way to __morestack() for a frame and for arguments on the stack of so many bytes, at most. */
std::string growth_way(HOST_WIDE_INT frame, HOST_WIDE_INT bytes);

/* The way from a check to the switch of the task. */
std::string spent_way(const live_words &live);

/* The way to what settles where an exception lands: it hands the counter over, and has a check behind. */
std::string landing_way(const std::string &landed);

/* Put all ways into the assembly that is being written. */
void ways_write();

#endif
