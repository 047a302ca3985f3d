/*
 * How a function of the kernel's begins that user code calls, and that needs more stack than every task has left: if
 * a growing stack has less left than it needs, the function runs on a further piece. So if there is no memory for
 * that, the task ends before the function has begun.
 *
 *     STACK_ENTRY(mutex_lock)
 *     enum heddle_error mutex_lock(struct mutex *mutex) ...
 *
 * All arguments must fit into registers. kernel/stack_table.h has the number of bytes.
 */
#ifndef ARCH_X86_64_STACK_ENTRY_H
#define ARCH_X86_64_STACK_ENTRY_H

#include "arch/x86_64/inline.h" /* arch_stack_limit */
#include "kernel/stack_table.h"

/* Bytes of each piece of stack below its limit (sched/growth.h), for code that is not compiled to grow: 240 for any
 * function of the kernel's (tools/verify/depth), and above these, 80 for arguments that its caller has pushed, or for
 * a check (quantum.asm). */
#define STACK_RESERVE 320

#define STACK_ENTRY_TEXT(text)  #text
#define STACK_ENTRY_VALUE(text) STACK_ENTRY_TEXT(text)

#define STACK_ENTRY(function) STACK_ENTRY_BY(function, STACK_ENTRY_VALUE(STACK_OF_##function), -1)

/* A function that needs more only in a rare case begins without this, and calls its other part by a name that is
 * declared so:
 *
 *     __typeof__(mutex_lock_contended) lock_with_room STACK_ENTRY_OF(mutex_lock_contended);
 */
#define STACK_ENTRY_OF(function) __asm__(#function)

/* Whether such a call would find room on the stack as it is now, so that the task cannot end for lack of memory.
 * False also if that is not certain. */
#define STACK_ENTRY_HAS_ROOM(function) stack_entry_has_room(STACK_OF_##function)

#define STACK_ENTRY_CALL 128 /* how far the stack may have gone down before the entry checks it */

static inline bool stack_entry_has_room(uintptr_t bytes)
{
	uintptr_t stack_pointer;
	__asm__ volatile("mov %%rsp, %0" : "=r"(stack_pointer));
	return stack_pointer + STACK_RESERVE - STACK_ENTRY_CALL - 16 - bytes >= arch_stack_limit();
}

/* The same for a function that the kernel calls in the middle of its work: what is left of the stack may suffice only
 * to move to the processor's stack. */
#define STACK_ENTRY_INSIDE(function) STACK_ENTRY_BY(function, STACK_ENTRY_VALUE(STACK_OF_##function), 0)

/* A piece has STACK_RESERVE bytes below its limit; the lowest of them stay unused. `arguments`: see grow.asm. On the
 * further piece, __morestack goes on behind the `ret`. */
#define STACK_ENTRY_BY(function, bytes, arguments)                                             \
	extern __typeof__(function) function __asm__(#function "_body");                           \
	__asm__(".pushsection .text\n"                                                             \
	        ".weak __morestack\n"                                                              \
	        ".globl " #function "\n"                                                           \
	        ".type " #function ", @function\n" #function ":\n"                                 \
	        "lea " STACK_ENTRY_VALUE(STACK_RESERVE) " - " bytes " - 16(%rsp), %r11\n"          \
	                                                "cmp %fs:0x70, %r11\n"                     \
	                                                "jae " #function "_body\n"                 \
	                                                "mov $" bytes ", %r10d\n"                  \
	                                                "mov $" #arguments ", %r11d\n"             \
	                                                "call __morestack\n"                       \
	                                                "ret\n"                                    \
	                                                "jmp " #function "_body\n"                 \
	                                                ".size " #function ", . - " #function "\n" \
	                                                ".popsection\n");

#endif
