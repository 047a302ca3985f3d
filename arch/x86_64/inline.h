/*
 * The few machine words that must be inline. Shared by the bare machine and the hosted build: per-processor
 * data is reached through %gs on both, so the same object code runs in both.
 *
 * Each read is volatile: a task may be on another processor after a switch, so no value may be kept across
 * one.
 */
#ifndef ARCH_X86_64_INLINE_H
#define ARCH_X86_64_INLINE_H

#include <stdint.h>

struct processor;
struct scheduler;

/* First word of the processor's block: its own address (struct processor, field self). */
static inline struct processor *arch_processor(void)
{
	struct processor *processor;
	__asm__ volatile("movq %%gs:0, %0" : "=r"(processor));
	return processor;
}

/* Second word: the scheduler's state of the processor (struct processor, field scheduler). */
static inline struct scheduler *arch_scheduler(void)
{
	struct scheduler *scheduler;
	__asm__ volatile("movq %%gs:8, %0" : "=r"(scheduler));
	return scheduler;
}

/* A counter of cycles that runs at one rate; cheap, not ordered with other instructions. */
static inline uint64_t arch_cycles(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static inline uintptr_t arch_frame_pointer(void)
{
	return (uintptr_t)__builtin_frame_address(0);
}

#endif
