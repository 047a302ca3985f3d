/*
 * A task's stack is its memory itself, without a guard: the canary tells which task has overflowed its stack.
 */
#include "arch/arch.h"
#include "kernel/memory.h"

const size_t arch_stack_guard = 0;

const bool arch_has_foreign_code = false;

void *arch_stack_map(void *block, size_t *bytes, bool *guarded)
{
	(void)bytes;
	*guarded = false;
	return block;
}

bool arch_memory_open(uintptr_t address, size_t bytes)
{
	(void)address, (void)bytes;
	return true;
}

bool arch_stack_lend(void *stack_low, uintptr_t address)
{
	(void)stack_low, (void)address;
	return false;
}

void arch_stack_take_back(void *stack_low)
{
	(void)stack_low;
}

uint8_t arch_stack_begin(void *stack_low, size_t stack_size)
{
	(void)stack_low, (void)stack_size;
	return 0;
}
