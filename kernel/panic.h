/*
 * When something went wrong: one readable report, then the machine stops in a way that its runner notices. A fault in
 * a task's own code ends only that task.
 */
#ifndef KERNEL_PANIC_H
#define KERNEL_PANIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

/* Report (what, processor, task, back trace), stop the other processors, end the machine. The first processor to
 * panic reports; a later one is stopped silently. A panic inside the report prints what it can and ends at once. */
_Noreturn void panic(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Set by the scheduler; NULL until it runs. describe: what runs on this processor ("task worker-3 (17)").
 * stack_bounds: bounds of the stack of this processor that has the address in it or in its guard; false: none has.
 * task_fault: take over a fault of a task's own code; false: it is none, so panic. stack_lend: let Heddle's own code
 * go on where a task left it too little stack, and end the task as soon as that code returns to it; false: it is no
 * such fault. */
struct panic_scheduler {
	void (*describe)(char *buffer, size_t size);
	bool (*stack_bounds)(uintptr_t address, uintptr_t *low, uintptr_t *high, bool *guarded);
	bool (*task_fault)(const struct fault *fault, struct fault_continuation *continuation);
	bool (*stack_lend)(const struct fault *fault);
};
extern const struct panic_scheduler *panic_scheduler;

/* Print a back trace through `line`, innermost first, with function names. It begins on the stack with the given
 * bounds, and continues on other stacks of what runs on this processor. */
void panic_back_trace(const struct arch_place *place, uintptr_t stack_low, uintptr_t stack_high,
                      void (*line)(const char *format, ...));

/* Print the registers of a fault through `line`, several in a line. */
void panic_registers(const struct fault *fault, void (*line)(const char *format, ...));

/* A sentence about a fault of what runs on this processor: what, where, and whether the stack overflowed. */
void panic_describe_fault(const struct fault *fault, char *text, size_t size);

/* An invariant of debug builds: costs nothing in others. */
#ifdef HEDDLE_DEBUG
#	define ASSERT(condition) \
		((condition) ? (void)0 : panic("assertion failed: %s (%s:%d)", #condition, __FILE__, __LINE__))
#else
#	define ASSERT(condition) ((void)0)
#endif

#endif
