#include "harness.h"

#include <asm/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct harness_block harness_block;
uint64_t harness_checks;
void (*harness_hook)(void);
uint32_t scramble_level;

/* The symbol that the GS base is relative to. */
extern const char heddle_processor_base[];

static int32_t counter_at_check;

void harness_set_counter(int32_t counter)
{
	counter_at_check = counter;
	harness_block.quantum = counter;
	__asm__ volatile("movl %0, %%r15d" : : "r"(counter));
}

/* Before everything else, as a program's own constructors may be instrumented. */
__attribute__((constructor(101))) static void harness_start(void)
{
	uintptr_t base = (uintptr_t)&harness_block - (uintptr_t)heddle_processor_base;
	if (syscall(SYS_arch_prctl, ARCH_SET_GS, base) != 0) {
		fputs("harness: Linux refuses to set the GS base, so no check can run; use another kernel\n", stderr);
		exit(EXIT_FAILURE);
	}
	harness_block.self = (uintptr_t)&harness_block;
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512bw"))
		scramble_level = 2;
	else if (__builtin_cpu_supports("avx2"))
		scramble_level = 1;
}

/* Called by heddle_quantum_spent (arch/x86_64/quantum.asm), which puts what the block says then into the
 * counter. */
void quantum_spent(void)
{
	harness_checks++;
	harness_block.quantum = counter_at_check;
	if (harness_hook && harness_block.uncooperative == 0)
		harness_hook();
	scramble();
}

/* For tasks whose stacks grow, which there are none of. */
void stack_grow(void)
{
	abort();
}

void stack_shrink(void)
{
	abort();
}

void uncooperative_begin(void)
{
	harness_block.uncooperative++;
	scramble();
}

void uncooperative_end(void)
{
	harness_block.uncooperative--;
	scramble();
}
