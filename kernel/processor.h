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
#define CACHE_LINE_PAIR    128 /* what a processor fetches at once */
#define CALLBACKS_MOST     256 /* that have not returned and are written down */

struct scheduler;
struct arch_processor;

struct processor {
	/* The instruction set knows where most of it lies (arch/). */
	struct processor *self;
	struct scheduler *scheduler; /* NULL until scheduler_start() */
	_Atomic int32_t quantum; /* instructions until the current task's is spent; the owner's but for requests
	                          * (sched/quantum.h) */
	uint32_t
	    uncooperative; /* how many uncooperative_begin() were not ended yet, and in its upper half how many
	                          * calls back from foreign code (sched/callback.h); the owner's */
	/* Of the stack that runs (sched/growth.h), where the machine has no other place for it. */
	uintptr_t stack_limit;
	uintptr_t stack_free; /* its stack is below this while a task runs, aligned to a cache line; 0: not yet */
	void *stack_low;      /* the stack that its idle task runs on */
	size_t stack_size;
	uintptr_t limit_left;    /* of the stack from which that was gone over to, for reports */
	uint32_t stack_taken;    /* by a task that has gone over to it */
	uintptr_t *callbacks;    /* the frames of calls back; NULL: there are none here */
	uintptr_t foreign_frame; /* of the last call of foreign code from a stack that grows */
	unsigned index;
	unsigned node;               /* NUMA node, dense */
	uint32_t hardware_id;        /* what the machine calls it: APIC id, Linux processor number */
	struct arch_processor *arch; /* the machine's own part */
	uint64_t clock_offset;       /* cycles by which its counter is ahead of that of processor 0 */
} __attribute__((aligned(CACHE_LINE)));

extern struct processor processors[PROCESSORS_MAXIMUM];
extern unsigned processor_count;

static inline struct processor *processor_current(void)
{
	return arch_processor();
}

/* Calls back from foreign code that have not returned, and uncooperative regions that have begun and not ended. */
#define CALLBACK_ONE (UINT32_C(1) << 16) /* in `uncooperative` */

static inline uint32_t callbacks_open(const struct processor *processor)
{
	return processor->uncooperative / CALLBACK_ONE;
}

static inline uint16_t regions_open(const struct processor *processor)
{
	return (uint16_t)processor->uncooperative;
}

/* The calls back behind the first ones have been left. */
static inline void callbacks_keep(struct processor *processor, uint32_t first)
{
	processor->uncooperative = first * CALLBACK_ONE | regions_open(processor);
}

/* What interrupts whatever runs, on a stack of its own, begins and ends so: no limit of a stack holds there, and
 * nothing goes over to the processor's, which may be in use. */
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
