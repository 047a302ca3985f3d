/*
 * Replaces the real arch/x86_64/inline.h in the explorer, by being first on the include path: the running processor
 * is a virtual one.
 */
#ifndef ARCH_X86_64_INLINE_H
#define ARCH_X86_64_INLINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct processor;
struct scheduler;

struct processor *arch_processor(void);
struct scheduler *arch_scheduler(void);
bool arch_is_uncooperative(void);
void arch_quantum_set(int32_t instructions);
uintptr_t arch_stack_free(void);
uint64_t arch_cycles(void);
uintptr_t arch_frame_pointer(void);

static inline void arch_pause(void)
{
}

static inline void arch_counter_add(_Atomic uint64_t *counter, uint64_t amount)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + amount,
	                      memory_order_relaxed);
}

/* Stacks do not grow here, and each task is on its own: neither STACK_GROWS nor STACK_FOREIGN (sched/growth.h). */
#define ARCH_WITHOUT_VECTORS
#define STACK_LIMIT 16

static inline uintptr_t arch_stack_limit(void)
{
	return STACK_LIMIT;
}

static inline void arch_stack_limit_set(uintptr_t limit)
{
	(void)limit;
}

/* The control words of the virtual processor. (../../arch.c) */
#define ARCH_CONTROL_DEFAULT 0
uint64_t arch_control(void);
void arch_control_set(uint64_t control);

#endif
