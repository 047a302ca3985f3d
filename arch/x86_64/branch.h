/*
 * A call that is rarely wanted, and otherwise costs one instruction that does nothing: arch_branches_take() turns
 * that into a jump to the call (Linux has it as static keys). The call does not change how the code around it is
 * compiled: the called function keeps all registers.
 */
#ifndef ARCH_X86_64_BRANCH_H
#define ARCH_X86_64_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

/* Both are distances from the field itself, so that no loader has to relocate them. */
struct branch {
	int32_t place;  /* of the instruction */
	int32_t target; /* of the jump */
};

/* Inline, so that each use is a branch of its own. */
__attribute__((always_inline)) static inline bool arch_branch(void)
{
	__asm__ inline goto("1:\t.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n\t" /* nopl 0(%rax,%rax,1) */
	                    ".pushsection heddle_branches, \"a\", @progbits\n\t"
	                    ".balign 4\n\t"
	                    ".long 1b - .\n\t"
	                    ".long %l[taken] - .\n\t"
	                    ".popsection"
	                    :
	                    :
	                    :
	                    : taken);
	return false;
taken:
#ifndef __clang__ /* clang has no cold labels, and no build with it needs speed */
	__attribute__((cold));
#endif
	return true;
}

/* For a function that ARCH_CALL_RARELY() calls. Its file is compiled without vector registers, and it calls no other
 * function. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#	define ARCH_KEEPS_REGISTERS
#	define ARCH_CALL_RARELY(function, first, second) function((uintptr_t)(first), (uintptr_t)(second))
#else
#	define ARCH_KEEPS_REGISTERS __attribute__((no_caller_saved_registers))
/* The call is hidden from the compiler, which would assume that it clobbers registers. So no code with such a call
 * may use a red zone. */
#	define ARCH_CALL_RARELY(function, first, second) \
		__asm__ inline volatile("call " #function : : "D"(first), "S"(second) : "memory", "cc")
#endif

/* Call function(first, second) if branches are taken. Both arguments are as wide as a pointer. */
#define ARCH_RARELY(function, first, second)           \
	do {                                               \
		if (arch_branch())                             \
			ARCH_CALL_RARELY(function, first, second); \
	} while (0)

#endif
