/*
 * The beginning of a function of the kernel's that user code calls, and that needs more stack than is left in
 * any case: where a stack grows and has less left than it needs, the function runs on a further piece of it. So
 * nothing has begun yet where there is no memory for that, and the task ends.
 *
 *     STACK_ENTRY(mutex_lock)
 *     enum heddle_error mutex_lock(struct mutex *mutex) ...
 *
 * All arguments must fit into registers. How many bytes it needs stands in kernel/stack_table.h.
 */
#ifndef ARCH_X86_64_STACK_ENTRY_H
#define ARCH_X86_64_STACK_ENTRY_H

#include "arch/x86_64/inline.h" /* arch_stack_limit */
#include "kernel/stack_table.h"

/* Bytes of each piece of stack below its limit (sched/growth.h), for what is not compiled to grow: 240 of any function
 * of the kernel's (tools/verify/depth), and above these, or for a check (quantum.asm), 80 of the arguments that its
 * caller has pushed. */
#define STACK_RESERVE 320

#define STACK_ENTRY_TEXT(text)  #text
#define STACK_ENTRY_VALUE(text) STACK_ENTRY_TEXT(text)

#define STACK_ENTRY(function) STACK_ENTRY_BY(function, STACK_ENTRY_VALUE(STACK_OF_##function), -1)

/* A function that comes to more only in the rarer case begins without, and calls the rest of it by a name that is
 * declared so:
 *
 *     __typeof__(mutex_lock_contended) lock_with_room STACK_ENTRY_OF(mutex_lock_contended);
 */
#define STACK_ENTRY_OF(function) __asm__(#function)

/* Whether such a call finds room where the stack is now, so that the task cannot end for want of memory. False as well
 * where that is not sure. */
#define STACK_ENTRY_HAS_ROOM(function) stack_entry_has_room(STACK_OF_##function)

#define STACK_ENTRY_CALL 128 /* how far the stack may have gone down until the entry looks at it */

static inline bool stack_entry_has_room(uintptr_t bytes)
{
	uintptr_t stack_pointer;
	__asm__ volatile("mov %%rsp, %0" : "=r"(stack_pointer));
	return stack_pointer + STACK_RESERVE - STACK_ENTRY_CALL - 16 - bytes >= arch_stack_limit();
}

/* The same of one that the kernel calls in the middle of what it does, on what is left of a stack: that may suffice
 * for no more than to go over to the processor's. */
#define STACK_ENTRY_INSIDE(function) STACK_ENTRY_BY(function, STACK_ENTRY_VALUE(STACK_OF_##function), 0)

/* A piece has STACK_RESERVE bytes below its limit; the lowest are left alone. `arguments`: see grow.asm. */
#define STACK_ENTRY_BY(function, bytes, arguments)                                             \
	extern __typeof__(function) function __asm__(#function "_body");                           \
	__asm__(".pushsection .text\n"                                                             \
	        ".weak __morestack\n"                                                              \
	        ".globl " #function "\n"                                                           \
	        ".type " #function ", @function\n" #function ":\n"                                 \
	        "lea " STACK_ENTRY_VALUE(STACK_RESERVE) " - " bytes " - 16(%rsp), %r11\n"          \
	                                                "cmp %fs:0x70, %r11\n"                     \
	                                                "jae 1f\n"                                 \
	                                                "mov $" bytes ", %r10d\n"                  \
	                                                "mov $" #arguments ", %r11d\n"             \
	                                                "call __morestack\n"                       \
	                                                "ret\n"                                    \
	                                                "1: jmp " #function "_body\n"              \
	                                                ".size " #function ", . - " #function "\n" \
	                                                ".popsection\n");

#endif
