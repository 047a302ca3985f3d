/*
 * Changing code (arch/x86_64/branch.c): the entry's page tables allow writing to it, the final ones do not.
 */
#include "arch/bare/paging.h"
#include "arch/x86_64/instructions.h"

bool arch_code_open(uintptr_t low, uintptr_t high)
{
	(void)low, (void)high;
	return paging_root() == 0;
}

/* This processor may already have fetched the old code. */
void arch_code_close(uintptr_t low, uintptr_t high)
{
	(void)low, (void)high;
	cpuid(0, 0);
}
