/*
 * What has to be switched on in each processor before it runs the kernel's code.
 */
#include "arch/x86_64/instructions.h"
#include "arch/x86_64/machine.h"

/* These functions are what makes the vector registers usable. */
#define GENERAL_REGISTERS_ONLY __attribute__((target("general-regs-only")))

#define CR0_MONITOR_COPROCESSOR (1ull << 1)
#define CR0_EMULATION           (1ull << 2)
#define CR0_TASK_SWITCHED       (1ull << 3)
#define CR0_NUMERIC_ERROR       (1ull << 5)
#define CR0_WRITE_PROTECT       (1ull << 16)
#define CR0_NOT_WRITE_THROUGH   (1ull << 29)
#define CR0_CACHE_DISABLE       (1ull << 30)

#define CR4_MACHINE_CHECK     (1ull << 6)
#define CR4_VECTORS           (1ull << 9)
#define CR4_VECTOR_EXCEPTIONS (1ull << 10)
#define CR4_BASE_INSTRUCTIONS (1ull << 16)
#define CR4_EXTENDED_STATE    (1ull << 18)

#define CPUID_1_ECX_EXTENDED_STATE    (1u << 26)
#define CPUID_1_EDX_MACHINE_CHECK     (1u << 7)
#define CPUID_7_EBX_BASE_INSTRUCTIONS (1u << 0)
#define CPUID_80000001_EDX_NO_EXECUTE (1u << 20)
#define CPUID_LEAF_EXTENDED_STATE     13

#define STATE_X87_SSE 0x03
#define STATE_AVX     0x04
#define STATE_AVX512  0xe0 /* masks, upper halves, upper registers: all three or none */

#define MSR_EFER         0xc0000080
#define MSR_MEMORY_TYPES 0x277 /* PAT */
#define EFER_NO_EXECUTE  (1ull << 11)

/* Which type the bits PCD and PWT of a page table entry choose: 0 write-back, 1 write-combining (after a
 * reset: write-through), 2 uncached unless a range register says otherwise, 3 uncached. */
#define MEMORY_TYPES 0x0007010600070106ull

GENERAL_REGISTERS_ONLY bool processor_has_no_execute(void)
{
	return (cpuid(0x80000001, 0).edx & CPUID_80000001_EDX_NO_EXECUTE) != 0;
}

GENERAL_REGISTERS_ONLY static void vectors_enable(uint32_t cpuid_1_ecx)
{
	if (!(cpuid_1_ecx & CPUID_1_ECX_EXTENDED_STATE))
		return;
	control_write_4(control_read_4() | CR4_EXTENDED_STATE);
	uint32_t supported = cpuid(CPUID_LEAF_EXTENDED_STATE, 0).eax;
	uint32_t enabled = STATE_X87_SSE;
	if (supported & STATE_AVX)
		enabled |= STATE_AVX;
	if ((supported & STATE_AVX) && (supported & STATE_AVX512) == STATE_AVX512)
		enabled |= STATE_AVX512;
	extended_control_write(enabled);
}

GENERAL_REGISTERS_ONLY void processor_features_enable(void)
{
	uint64_t control = control_read_0();
	control &= ~(CR0_EMULATION | CR0_TASK_SWITCHED | CR0_NOT_WRITE_THROUGH | CR0_CACHE_DISABLE);
	control_write_0(control | CR0_MONITOR_COPROCESSOR | CR0_NUMERIC_ERROR | CR0_WRITE_PROTECT);

	struct cpuid_result features = cpuid(1, 0);
	control = control_read_4() | CR4_VECTORS | CR4_VECTOR_EXCEPTIONS;
	if (features.edx & CPUID_1_EDX_MACHINE_CHECK)
		control |= CR4_MACHINE_CHECK;
	if (cpuid_maximum(0) >= 7 && (cpuid(7, 0).ebx & CPUID_7_EBX_BASE_INSTRUCTIONS))
		control |= CR4_BASE_INSTRUCTIONS;
	control_write_4(control);
	vectors_enable(features.ecx);

	if (processor_has_no_execute())
		msr_write(MSR_EFER, msr_read(MSR_EFER) | EFER_NO_EXECUTE);
	msr_write(MSR_MEMORY_TYPES, MEMORY_TYPES);
}
