/*
 * What the program's sanitizers are told, if it has any (sanitizer.c). We are not compiled with them, so their
 * functions are weak: most programs do not have them.
 */
#ifndef ARCH_HOSTED_SANITIZER_H
#define ARCH_HOSTED_SANITIZER_H

#include "arch/hosted/hosted.h"

__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *low, size_t bytes);

/* From here on the calling thread runs on the current task's stack, or on its own again. */
void sanitizer_enter(struct arch_processor *host);
void sanitizer_leave(const struct arch_processor *host);

/* Frames there were left without their end. */
static inline void sanitizer_clean(const void *low, size_t bytes)
{
	if (__asan_unpoison_memory_region)
		__asan_unpoison_memory_region(low, bytes);
}

/* Pointers may be in readable memory there, until they are no more. False: there is no one to tell. */
bool sanitizer_scan(const void *low, size_t bytes);
void sanitizer_scan_end(const void *low, size_t bytes);

/* The same for all of the machine's memory, if the program ends while the machine has it; 0 bytes: it has none. */
void sanitizer_scan_at_exit(const void *low, size_t bytes);

#endif
