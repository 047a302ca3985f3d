/*
 * The switches that arch.h declares: inline (switch.h); or where a sanitizer has to be told of each, by functions
 * (context.c).
 */
#ifndef ARCH_X86_64_CONTEXT_H
#define ARCH_X86_64_CONTEXT_H

#include "arch/x86_64/switch.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
void arch_context_switch_noticed(struct arch_context *from, struct arch_context *to, finalizer finalize,
                                 struct task *left, void *argument, bool dying);
void arch_context_swap_noticed(struct arch_context *from, struct arch_context *to);
void arch_context_create(struct arch_context *context, void *stack_low, size_t stack_size,
                         void (*entry)(void));

static inline void arch_context_switch(struct arch_context *from, struct arch_context *to, finalizer finalize,
                                       struct task *left, void *argument, bool dying)
{
	arch_context_switch_noticed(from, to, finalize, left, argument, dying);
}

_Noreturn static inline void arch_context_leave(struct arch_context *from, struct arch_context *to,
                                                finalizer finalize, struct task *left)
{
	arch_context_switch(from, to, finalize, left, NULL, true);
	__builtin_trap();
}

/* With a sanitizer, stacks have room for choose() as well. */
static inline void arch_context_switch_chosen(struct arch_context *from, chooser choose, finalizer finalize,
                                              struct task *left, void *argument)
{
	struct arch_context *to = choose();
	arch_context_switch(from, to, finalize, left, argument, false);
}

_Noreturn static inline void arch_context_leave_chosen(struct arch_context *from, chooser choose,
                                                       finalizer finalize, struct task *left)
{
	struct arch_context *to = choose();
	arch_context_leave(from, to, finalize, left);
}

static inline void arch_context_swap(struct arch_context *from, struct arch_context *to)
{
	arch_context_swap_noticed(from, to);
}

static inline void arch_context_renew(struct arch_context *context, uintptr_t stack_high, void (*entry)(void))
{
	(void)stack_high;
	arch_context_create(context, context->stack_low, context->stack_size, entry);
}
#else
static inline void arch_context_switch(struct arch_context *from, struct arch_context *to, finalizer finalize,
                                       struct task *left, void *argument, bool dying)
{
	(void)dying;
	context_switch(from, to, finalize, left, argument);
}

static inline void arch_context_switch_chosen(struct arch_context *from, chooser choose, finalizer finalize,
                                              struct task *left, void *argument)
{
	context_switch_chosen(from, choose, finalize, left, argument);
}

_Noreturn __attribute__((always_inline)) static inline void
arch_context_leave_chosen(struct arch_context *from, chooser choose, finalizer finalize, struct task *left)
{
	(void)from;
	context_leave_chosen(choose, finalize, left);
}

static inline void arch_context_swap(struct arch_context *from, struct arch_context *to)
{
	context_swap(from, to);
}

_Noreturn __attribute__((always_inline)) static inline void
arch_context_leave(struct arch_context *from, struct arch_context *to, finalizer finalize, struct task *left)
{
	(void)from;
	context_leave(to, finalize, left);
}

/* context_enter(); not where a sanitizer is told of switches. */
_Noreturn __attribute__((always_inline)) static inline void
arch_context_enter(const struct arch_context *context)
{
	context_enter(context);
}

static inline void arch_context_renew(struct arch_context *context, uintptr_t stack_high, void (*entry)(void))
{
	(void)entry;
	context->stack_pointer = context_first(stack_high);
}
#endif

static inline void arch_context_prepare(uintptr_t stack_high, void (*entry)(void))
{
	*context_first(stack_high) =
	    (struct saved_context){.r15 = (uintptr_t)entry, .go_on = (uintptr_t)context_begin};
}

static inline bool arch_context_is_prepared(uintptr_t stack_high, void (*entry)(void))
{
	const struct saved_context *first = context_first(stack_high);
	return first->r15 == (uintptr_t)entry && first->go_on == (uintptr_t)context_begin && first->rbp == 0;
}

#endif
