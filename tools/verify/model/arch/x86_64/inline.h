/*
 * Takes the place of the real arch/x86_64/inline.h in the explorer, by being first on the include path: the
 * processor that runs is a virtual one.
 */
#ifndef ARCH_X86_64_INLINE_H
#define ARCH_X86_64_INLINE_H

#include <stdint.h>

struct processor;
struct scheduler;

struct processor *arch_processor(void);
struct scheduler *arch_scheduler(void);
uint64_t arch_cycles(void);
uintptr_t arch_frame_pointer(void);

static inline void arch_pause(void)
{
}

#endif
