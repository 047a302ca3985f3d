/*
 * Changing code (arch/x86_64/branch.c): its pages are made writable for a moment. They stay executable, because the
 * code that changes them may lie there, too.
 */
#include <sys/mman.h>

#include "arch/arch.h"
#include "kernel/memory.h"

static bool protect(uintptr_t low, uintptr_t high, int protection)
{
	low &= ~(PAGE_SIZE - 1);
	return mprotect((void *)low, high - low, protection) == 0;
}

bool arch_code_open(uintptr_t low, uintptr_t high)
{
	return protect(low, high, PROT_READ | PROT_WRITE | PROT_EXEC);
}

void arch_code_close(uintptr_t low, uintptr_t high)
{
	protect(low, high, PROT_READ | PROT_EXEC);
}
