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
	uintptr_t stack_limit; /* lowest address of the stack that runs, a task's or a generator's; the owner's */
	unsigned index;
	unsigned node;        /* NUMA node, dense */
	uint32_t hardware_id; /* what the machine calls it: APIC id, Linux processor number */
	void *stack_low;      /* the stack that its idle task runs on */
	size_t stack_size;
	struct arch_processor *arch; /* the machine's own part */
} __attribute__((aligned(CACHE_LINE)));

_Static_assert(offsetof(struct processor, self) == 0, "arch_processor() reads the first word");
_Static_assert(offsetof(struct processor, scheduler) == 8, "arch_scheduler() reads the second word");
_Static_assert(offsetof(struct processor, quantum) == 16, "the checks that the compiler inserts count here");

_Static_assert(offsetof(struct processor, stack_limit) == 24, "generators set it where they switch");

extern struct processor processors[PROCESSORS_MAXIMUM];
extern unsigned processor_count;

static inline struct processor *processor_current(void)
{
	return arch_processor();
}

#endif
