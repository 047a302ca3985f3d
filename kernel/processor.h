/*
 * The block of each processor: the processor itself finds it by arch_processor(), others by processors[].
 *
 * A processor's index is dense: 0 is the boot processor, and 0 <= index < processor_count once the machine is up.
 * Neither the count nor the place of a block changes after arch_processors_start() has returned.
 */
#ifndef KERNEL_PROCESSOR_H
#define KERNEL_PROCESSOR_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

#define PROCESSORS_MAXIMUM 1024
#define CACHE_LINE         64
#define CACHE_LINE_PAIR    128 /* processors fetch two lines at once */
#define CALLBACKS_MOST     256 /* calls back that are recorded until they return */

struct scheduler;
struct arch_processor;

/*
 * Laid out by writer: a line that its processor writes at each switch, and one that nothing writes once the machine is
 * up, so that others may read it at any time.
 */
struct processor {
	/* Assembly knows where most of these fields are (arch/). */
	struct processor *self;
	/* The limit of the running stack (sched/growth.h), where the machine has no other place for it. */
	uintptr_t stack_limit;
	/* Instructions left to the current task. Only the owner writes it, apart from requests (sched/quantum.h). */
	_Atomic int32_t quantum;
	/* Low half: how many uncooperative_begin() have not ended. Upper half: how many calls back from foreign code have
	 * not returned (sched/callback.h). Only the owner writes it. */
	uint32_t uncooperative;
	uintptr_t stack_free; /* while a task runs, its own stack is free below this cache line; 0: not yet */
	uintptr_t limit_left; /* limit of the stack we left for the processor's own; for reports */
	uint32_t stack_taken; /* nonzero: a task runs on the processor's stack */

	_Alignas(CACHE_LINE) struct scheduler *scheduler; /* NULL until scheduler_start() */
	uintptr_t *callbacks; /* the frames of calls back; NULL: this machine has none */
	void *stack_low;      /* the stack that its idle task runs on */
	size_t stack_size;
	unsigned index;
	unsigned node;               /* NUMA node, dense */
	uint32_t hardware_id;        /* what the machine calls it: APIC id, Linux processor number */
	struct arch_processor *arch; /* the machine's own part */
	uint64_t clock_offset;       /* cycles by which its counter is ahead of processor 0's */
} __attribute__((aligned(CACHE_LINE)));

_Static_assert(sizeof(struct processor) == CACHE_LINE_PAIR, "a line of each");

extern struct processor processors[PROCESSORS_MAXIMUM] __attribute__((aligned(CACHE_LINE_PAIR)));
extern unsigned processor_count;

static inline struct processor *processor_current(void)
{
	return arch_processor();
}

/* Calls back from foreign code that have not yet returned, and uncooperative regions that have not yet ended. */
#define CALLBACK_ONE (UINT32_C(1) << 16) /* in `uncooperative` */

static inline uint32_t callbacks_open(const struct processor *processor)
{
	return processor->uncooperative / CALLBACK_ONE;
}

static inline uint16_t regions_open(const struct processor *processor)
{
	return (uint16_t)processor->uncooperative;
}

/* Forget the calls back after the first `first`: they were left. */
static inline void callbacks_keep(struct processor *processor, uint32_t first)
{
	processor->uncooperative = first * CALLBACK_ONE | regions_open(processor);
}

/* Bracket every interrupt handler with these. A handler has a stack of its own: no stack limit holds there, and it
 * must not move to the processor's stack, which may be in use. */
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
