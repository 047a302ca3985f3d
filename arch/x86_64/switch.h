/*
 * The context switch, for the bare machine and the hosted build alike: inline, and the compiler is told that all
 * registers are lost (switching paper, section 3.1). So each site saves exactly what it needs afterwards, and has an
 * indirect jump of its own, which the processor predicts from what comes after that site; every return goes to the
 * place that its call came from.
 *
 * A context that is not running is a stack pointer; from there upwards, its stack holds:
 *     r15  rbp  the place where it goes on
 * so that rbp and that place form a frame for the back trace. Here r15 is not the compiler's, but may be the caller's
 * (quantum.asm); rbp is the frame's.
 *
 * Between the two tasks the finalizer runs on the processor's stack, below where its idle task has left it. So it has
 * room, however little the tasks have left of theirs. Nothing else uses that stack then: interrupts run on stacks of
 * their own, and code that moves to the processor's (grow.asm) returns before it switches. No limit applies there.
 *
 * Code that is compiled with this must not use the red zone.
 */
#ifndef ARCH_X86_64_SWITCH_H
#define ARCH_X86_64_SWITCH_H

#include <stddef.h>
#include <stdint.h>

#include "arch/x86_64/layout.h"

/* A task that is not running: its stack pointer; all else is on its stack. For a sanitizer also what that must know
 * of the stack. */
struct arch_context {
	void *stack_pointer;
	void *stack_low;
	uintptr_t limit; /* lowest address of the stack that it was left on: its own, or a generator's */
	size_t stack_size;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	void *sanitizer_fiber;
	void *sanitizer_fake_stack;
	void *sanitizer_left_fiber; /* its fiber when it was left: its own, or a generator's */
	const void *sanitizer_left_low;
	size_t sanitizer_left_size;
#endif
};

struct task;

/* Called for the task that was left, once nothing uses its stack any more. It must not switch. */
typedef void (*finalizer)(struct task *left, void *argument);

/* Called after a task was left: returns the context to go on in. It must not switch. */
typedef struct arch_context *(*chooser)(void);

/* What a switch leaves on the stack. */
struct saved_context {
	uint64_t r15, rbp;
	uint64_t go_on;
};

/* Where a new context goes on: with the function in r15, below what it was begun with (context.asm). */
void context_begin(void);

/* What a context begins with, at the top of its stack; it stays there. */
#define ARCH_CONTEXT_FIRST LAYOUT_CONTEXT_FIRST
static inline struct saved_context *context_first(uintptr_t stack_high)
{
	return (struct saved_context *)stack_high - 1;
}

#define SWITCH_LIMIT "%%fs:0x70" /* of the running stack: arch_stack_limit() */

/* Leave the stack that runs: what is on it is a context. */
#define SWITCH_LEAVE            \
	"leaq 1f(%%rip), %%rax\n\t" \
	"pushq %%rax\n\t"           \
	"pushq %%rbp\n\t"           \
	"pushq %%r15\n\t"           \
	"movq %%rsp, %[left]\n\t"

/* Go on in the context whose stack runs. */
#define SWITCH_ENTER \
	"popq %%r15\n\t" \
	"popq %%rbp\n\t" \
	"popq %%rax\n\t" \
	"jmpq *%%rax\n"

/* On the processor's stack: run the finalizer, which is rdx, and go on in the context at rbx, whose limit is r12.
 * Called functions keep rbx and r12. */
#define SWITCH_FINALIZE                                                \
	"movq %%r12, %%gs:heddle_processor_base+%c[limit_left](%%rip)\n\t" \
	"callq *%%rdx\n\t"                                                 \
	"movq (%%rbx), %%rsp\n\t"                                          \
	"movq %%r12, " SWITCH_LIMIT "\n\t" SWITCH_ENTER

/* Move to the processor's stack first. */
#define SWITCH_OVER                    \
	"movq %c[limit](%%rbx), %%r12\n\t" \
	"movq $0, " SWITCH_LIMIT "\n\t"    \
	"movq %%gs:heddle_processor_base+%c[stack_free](%%rip), %%rsp\n\t" SWITCH_FINALIZE

/* The same, but choose() returns the context. The finalizer is r12; its arguments are r13 and r14. */
#define SWITCH_OVER_CHOSEN                                             \
	"movq " SWITCH_LIMIT ", %%rax\n\t"                                 \
	"movq %%gs:heddle_processor_base+%c[stack_free](%%rip), %%rsp\n\t" \
	"movq $0, " SWITCH_LIMIT "\n\t"                                    \
	"movq %%rax, %%gs:heddle_processor_base+%c[limit_left](%%rip)\n\t" \
	"callq *%[choose]\n\t"                                             \
	"movq %%rax, %%rbx\n\t"                                            \
	"movq %%r12, %%rdx\n\t"                                            \
	"movq %c[limit](%%rax), %%r12\n\t"                                 \
	"movq %%r13, %%rdi\n\t"                                            \
	"movq %%r14, %%rsi\n\t" SWITCH_FINALIZE

#define SWITCH_FIELDS                                                       \
	[limit] "i"(LAYOUT_CONTEXT_LIMIT), [stack_free] "i"(LAYOUT_STACK_FREE), \
	    [limit_left] "i"(LAYOUT_LIMIT_LEFT)

#define SWITCH_VECTORS                                                                                \
	"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", \
	    "xmm12", "xmm13", "xmm14", "xmm15"

/* Leave `from`, which does not lie on its own stack, run finalize(left, argument) on the processor's stack, and go on
 * in `to`. Returns when `from` is resumed. */
static inline void context_switch(struct arch_context *from, struct arch_context *to, finalizer finalize,
                                  struct task *left, void *argument)
{
	register uintptr_t lost __asm__("r8"); /* an output, so that the address of what is stored may be there */
	__asm__ volatile(SWITCH_LEAVE SWITCH_OVER "1:"
	                 : [left] "=m"(from->stack_pointer), "=r"(lost), "+b"(to), "+d"(finalize), "+D"(left),
	                   "+S"(argument)
	                 : SWITCH_FIELDS
	                 : "rax", "rcx", "r9", "r10", "r11", "r12", "r13", "r14", SWITCH_VECTORS, "memory", "cc");
}

/* The same, but choose() returns the context to go on in, on the processor's stack. */
static inline void context_switch_chosen(struct arch_context *from, chooser choose, finalizer finalize,
                                         struct task *left, void *argument)
{
	register uintptr_t lost __asm__("r8");
	register finalizer kept_finalize __asm__("r12") = finalize;
	register struct task *kept_left __asm__("r13") = left;
	register void *kept_argument __asm__("r14") = argument;
	__asm__ volatile(SWITCH_LEAVE SWITCH_OVER_CHOSEN "1:"
	                 : [left] "=m"(from->stack_pointer), "=r"(lost), [choose] "+d"(choose),
	                   "+r"(kept_finalize), "+r"(kept_left), "+r"(kept_argument)
	                 : SWITCH_FIELDS
	                 : "rax", "rbx", "rcx", "rsi", "rdi", "r9", "r10", "r11", SWITCH_VECTORS, "memory", "cc");
}

/* Switch without a finalizer; the caller sets the limit. */
static inline void context_swap(struct arch_context *from, struct arch_context *to)
{
	register uintptr_t lost __asm__("r8");
	__asm__ volatile(SWITCH_LEAVE "movq (%[to]), %%rsp\n\t" SWITCH_ENTER "1:"
	                 : [left] "=m"(from->stack_pointer), "=r"(lost), [to] "+d"(to)
	                 :
	                 : "rax", "rbx", "rcx", "rsi", "rdi", "r9", "r10", "r11", "r12", "r13", "r14",
	                   SWITCH_VECTORS, "memory", "cc");
}

/* Go on in a context. What runs was saved before, or is lost. The caller sets the limit of the stack. */
_Noreturn __attribute__((always_inline)) static inline void context_enter(const struct arch_context *context)
{
	__asm__ volatile("movq %0, %%rsp\n\t" SWITCH_ENTER : : "r"(context->stack_pointer) : "memory", "cc");
	__builtin_unreachable();
}

/* Leave a context that is never resumed, or was saved before: nothing is saved. The finalizer must not use its
 * argument. */
_Noreturn __attribute__((always_inline)) static inline void
context_leave_chosen(chooser choose, finalizer finalize, struct task *left)
{
	register finalizer kept_finalize __asm__("r12") = finalize;
	register struct task *kept_left __asm__("r13") = left;
	__asm__ volatile(SWITCH_OVER_CHOSEN
	                 :
	                 : [choose] "d"(choose), "r"(kept_finalize), "r"(kept_left), SWITCH_FIELDS
	                 : "memory", "cc");
	__builtin_unreachable();
}

_Noreturn __attribute__((always_inline)) static inline void
context_leave(struct arch_context *to, finalizer finalize, struct task *left)
{
	__asm__ volatile(SWITCH_OVER : : "b"(to), "d"(finalize), "D"(left), SWITCH_FIELDS : "memory", "cc");
	__builtin_unreachable();
}

#endif
