/*
 * Changing code (arch/x86_64/branch.c): the page tables of the entry let it be written to, the final ones do not.
 */
#include "arch/bare/paging.h"
#include "arch/x86_64/instructions.h"

bool arch_code_open(uintptr_t low, uintptr_t high)
{
	(void)low, (void)high;
	return paging_root() == 0;
}

/* This processor may have fetched what was there before. */
void arch_code_close(uintptr_t low, uintptr_t high)
{
	(void)low, (void)high;
	cpuid(0, 0);
}
