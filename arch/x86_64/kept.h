/*
 * What a task keeps of the vector and x87 units (arch_kept_leave), for the bare machine and the hosted build alike.
 * At a switch the x87 stack is empty.
 */
#ifndef ARCH_X86_64_KEPT_H
#define ARCH_X86_64_KEPT_H

#include "arch/arch.h"

#define X87_REPORTS 0x3fu

/* As fnstenv stores it. */
struct x87_environment {
	uint32_t control, status, tags, pointers[4];
};

/* Returns MXCSR, above it the x87 control word, above that the x87 status word. Leaves the given control words, and
 * no status flags. */
static inline uint64_t kept_control_leave(uint64_t left_behind)
{
	uint32_t vector;
	uint16_t control, status;
	__asm__ volatile("stmxcsr %0" : "=m"(vector));
	__asm__ volatile("fnstcw %0" : "=m"(control));
	__asm__ volatile("fnstsw %0" : "=m"(status));
	if (status & X87_REPORTS)
		__asm__ volatile("fnclex");
	arch_control_set(left_behind);
	return (uint64_t)status << 48 | (uint64_t)control << 32 | vector;
}

static inline void kept_control_return(uint64_t kept)
{
	uint16_t status = (uint16_t)(kept >> 48);
	if (status & X87_REPORTS) {
		struct x87_environment environment;
		__asm__ volatile("fnstenv %0" : "=m"(environment));
		environment.status |= status & X87_REPORTS;
		__asm__ volatile("fldenv %0" : : "m"(environment));
	}
	arch_control_set(kept & UINT64_C(0xffffffffffff));
}

#endif
