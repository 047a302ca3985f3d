/*
 * The few machine functions that must be inline. Shared by the bare machine and the hosted build: both reach
 * per-processor data through %gs, so the same object code runs in both.
 *
 * The GS base of a processor is the distance of its block from heddle_processor_base (quantum.asm), so that a field
 * is %gs:heddle_processor_base+OFFSET(%rip). That links at any address and, unlike an absolute displacement, keeps a
 * load fast that follows a store.
 *
 * A task may be on another processor after a switch, so no value may be kept across one: each read depends on memory
 * that a switch may change, as far as the compiler knows. In code that the compiler's plugin compiles a switch may be
 * anywhere, so there each is volatile.
 */
#ifndef ARCH_X86_64_INLINE_H
#define ARCH_X86_64_INLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/x86_64/layout.h"

struct processor;
struct scheduler;

extern char heddle_processor_base[] __attribute__((visibility("hidden")));

/* The code that a check calls, which runs on what is left of the task's stack (quantum.asm). */
extern const char heddle_quantum_spent[] __attribute__((visibility("hidden")));
extern const char heddle_quantum_spent_end[] __attribute__((visibility("hidden")));

static inline bool arch_is_quantum_code(uintptr_t address)
{
	return address >= (uintptr_t)heddle_quantum_spent && address < (uintptr_t)heddle_quantum_spent_end;
}

static inline uintptr_t arch_processor_distance(const struct processor *processor)
{
	return (uintptr_t)processor - (uintptr_t)heddle_processor_base;
}

#ifdef __HEDDLE_PLUGIN__
#	define ARCH_UNTIL_SWITCH volatile
#else
#	define ARCH_UNTIL_SWITCH
#endif

/* A type of its own, so that the compiler takes no other store for a change of it. */
struct arch_anchor {
	int unused;
};
extern struct arch_anchor heddle_anchor __asm__("heddle_processor_base")
    __attribute__((visibility("hidden")));

/* The processor's block (struct processor), by its first word. */
static inline struct processor *arch_processor(void)
{
	struct processor *processor;
	__asm__ ARCH_UNTIL_SWITCH("movq %%gs:heddle_processor_base+%c1(%%rip), %0"
	                          : "=r"(processor)
	                          : "i"(LAYOUT_SELF), "m"(heddle_anchor));
	return processor;
}

/* The scheduler's state of the processor. */
static inline struct scheduler *arch_scheduler(void)
{
	struct scheduler *scheduler;
	__asm__ ARCH_UNTIL_SWITCH("movq %%gs:heddle_processor_base+%c1(%%rip), %0"
	                          : "=r"(scheduler)
	                          : "i"(LAYOUT_SCHEDULER), "m"(heddle_anchor));
	return scheduler;
}

/* A counter of cycles with a constant rate; cheap, not ordered with other instructions. */
static inline uint64_t arch_cycles(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/* The control words of the vector and the x87 unit, which say how they round and what they report: MXCSR in the low
 * half, the x87 control word in the high half. The status flags of past computations are not included. */
#define ARCH_CONTROL_DEFAULT UINT64_C(0x037f00001f80)
#define MXCSR_REPORTS        0x3fu

static inline uint64_t arch_control(void)
{
	uint32_t vector;
	uint16_t x87;
	__asm__ volatile("stmxcsr %0" : "=m"(vector));
	__asm__ volatile("fnstcw %0" : "=m"(x87));
	return (uint64_t)x87 << 32 | (vector & ~MXCSR_REPORTS);
}

static inline void arch_control_set(uint64_t control)
{
	uint32_t vector = (uint32_t)control;
	uint16_t x87 = (uint16_t)(control >> 32);
	__asm__ volatile("ldmxcsr %0" : : "m"(vector));
	__asm__ volatile("fldcw %0" : : "m"(x87));
}

/* For a loop that waits for the machine or another processor. */
static inline void arch_pause(void)
{
	__asm__ volatile("pause" : : : "memory");
}

static inline uintptr_t arch_frame_pointer(void)
{
	return (uintptr_t)__builtin_frame_address(0);
}

/* For a variadic function that is given no floating-point numbers: it need not save the vector registers, which takes
 * 176 bytes of stack. */
#define ARCH_WITHOUT_VECTORS __attribute__((target("general-regs-only")))

/* Fields of the processor's block that every switch uses, in one instruction each. A store to them by C code in the
 * same function may not have been done yet. */
static inline bool arch_is_uncooperative(void)
{
	bool is;
	__asm__ volatile("cmpl $0, %%gs:heddle_processor_base+%c1(%%rip)"
	                 : "=@ccne"(is)
	                 : "i"(LAYOUT_UNCOOPERATIVE));
	return is;
}

/* Set the counter (arch/x86_64/quantum_counter.h). */
static inline void arch_quantum_set(int32_t counter)
{
	__asm__ volatile("movl %0, %%gs:heddle_processor_base+%c1(%%rip)" : : "ri"(counter), "i"(LAYOUT_QUANTUM));
}

/* Add to a counter that only this processor changes and others read: one instruction, not locked. */
static inline void arch_counter_add(_Atomic uint64_t *counter, uint64_t amount)
{
	__asm__ volatile("addq %1, %0" : "+m"(*counter) : "er"(amount));
}

/* The highest address, a cache line's, below which the calling function does not use its stack while it switches. It
 * must have no more on its stack then than now. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#	define SWITCH_ROOM 2048
#else
#	define SWITCH_ROOM 128
#endif

static inline uintptr_t arch_stack_free(void)
{
	uintptr_t stack_pointer;
	__asm__ volatile("movq %%rsp, %0" : "=r"(stack_pointer));
	return (stack_pointer - SWITCH_ROOM) & ~(uintptr_t)63;
}

/* The limit of the stack that runs (sched/growth.h), where functions that are compiled with -fsplit-stack look for
 * it: a word that the C library leaves to them, or the processor's block (processor.h). 0: none. */
static inline uintptr_t arch_stack_limit(void)
{
	uintptr_t limit;
	__asm__ volatile("movq %%fs:0x70, %0" : "=r"(limit) : : "memory");
	return limit;
}

static inline void arch_stack_limit_set(uintptr_t limit)
{
	__asm__ volatile("movq %0, %%fs:0x70" : : "r"(limit) : "memory");
}

#endif
