/*
 * The block of a processor, reached by its owner through arch_processor() and by others through processors[].
 *
 * A processor's index is dense: 0 is the boot processor, and 0 <= index < processor_count once the machine is
 * up. Neither the count nor a block changes after arch_processors_start() has returned.
 */
#ifndef KERNEL_PROCESSOR_H
#define KERNEL_PROCESSOR_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

#define PROCESSORS_MAXIMUM 1024
#define CACHE_LINE         64

struct scheduler;
struct arch_processor;

struct processor {
	struct processor *self;      /* must be first: arch_processor() reads it */
	struct scheduler *scheduler; /* must be second: arch_scheduler() reads it; NULL until scheduler_start() */
	_Atomic int32_t quantum; /* instructions until the current task's is spent; the owner's but for requests
	                          * (sched/quantum.h) */
	uint32_t uncooperative;  /* how many uncooperative_begin() were not ended yet; the owner's */
	uintptr_t
	    stack_limit; /* of the stack that runs (sched/growth.h), where the machine has no other place for it */
	const struct arch_context *idle_context; /* below where it was left, its stack is free; NULL: not yet */
	void *stack_low;                         /* the stack that its idle task runs on */
	size_t stack_size;
	uintptr_t limit_left; /* of the stack from which that was gone over to, for reports */
	uint32_t stack_taken; /* by a task that has gone over to it */
	unsigned index;
	unsigned node;               /* NUMA node, dense */
	uint32_t hardware_id;        /* what the machine calls it: APIC id, Linux processor number */
	struct arch_processor *arch; /* the machine's own part */
} __attribute__((aligned(CACHE_LINE)));

_Static_assert(offsetof(struct processor, self) == 0, "arch_processor() reads the first word");
_Static_assert(offsetof(struct processor, scheduler) == 8, "arch_scheduler() reads the second word");
_Static_assert(offsetof(struct processor, quantum) == 16, "the checks that the compiler inserts count here");
_Static_assert(offsetof(struct processor, stack_limit) == 24,
               "functions begin with a look at it, by the FS base");
_Static_assert(offsetof(struct processor, idle_context) == 32, "grow.asm goes over to its stack");
_Static_assert(offsetof(struct processor, limit_left) == 56, "grow.asm writes down where it comes from");
_Static_assert(offsetof(struct processor, stack_taken) == 64, "grow.asm takes it");

extern struct processor processors[PROCESSORS_MAXIMUM];
extern unsigned processor_count;

static inline struct processor *processor_current(void)
{
	return arch_processor();
}

/* What interrupts whatever runs, on a stack of its own, begins and ends so: no limit of a stack holds there, and nothing
 * goes over to the processor's, which may be in use. */
static inline uintptr_t processor_interrupt_begin(void)
{
	uintptr_t limit = arch_stack_limit();
	if (limit)
		processor_current()->limit_left = limit;
	arch_stack_limit_set(0);
	return limit;
}

static inline void processor_interrupt_end(uintptr_t limit)
{
	arch_stack_limit_set(limit);
}

#endif
