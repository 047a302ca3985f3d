/*
 * What each processor must switch on before it runs the kernel's code.
 */
#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"

/* These functions make the 128-bit vector registers usable, which the kernel is compiled for. Wider ones stay off, so
 * that no switch and no growing stack has to keep them. */
#define GENERAL_REGISTERS_ONLY __attribute__((target("general-regs-only")))

#define CR4_MACHINE_CHECK     (1ull << 6)
#define CR4_VECTORS           (1ull << 9)
#define CR4_VECTOR_EXCEPTIONS (1ull << 10)
#define CR4_BASE_INSTRUCTIONS (1ull << 16)

#define CPUID_1_EDX_MACHINE_CHECK     (1u << 7)
#define CPUID_1_EDX_MEMORY_TYPES      (1u << 16)
#define CPUID_7_EBX_BASE_INSTRUCTIONS (1u << 0)
#define CPUID_80000001_EDX_NO_EXECUTE (1u << 20)

#define MSR_EFER         0xc0000080
#define MSR_MEMORY_TYPES 0x277 /* PAT */
#define EFER_NO_EXECUTE  (1ull << 11)

/* Memory types that the bits PCD and PWT of a page table entry choose: 0 write-back, 1 write-combining (after a
 * reset: write-through), 2 uncached unless a range register says otherwise, 3 uncached. */
#define MEMORY_TYPES 0x0007010600070106ull

GENERAL_REGISTERS_ONLY bool processor_has_no_execute(void)
{
	return (cpuid(0x80000001, 0).edx & CPUID_80000001_EDX_NO_EXECUTE) != 0;
}

/* After a reset the x87 unit reports every exception by an interrupt, and firmware leaves both units in any state. */
GENERAL_REGISTERS_ONLY static void arithmetic_reset(void)
{
	const uint32_t vector_control = (uint32_t)ARCH_CONTROL_DEFAULT;
	__asm__ volatile("fninit; ldmxcsr %0" : : "m"(vector_control));
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
	if (cpuid(7, 0).ebx & CPUID_7_EBX_BASE_INSTRUCTIONS)
		control |= CR4_BASE_INSTRUCTIONS;
	control_write_4(control);
	arithmetic_reset();

	if (processor_has_no_execute())
		msr_write(MSR_EFER, msr_read(MSR_EFER) | EFER_NO_EXECUTE);
	if (features.edx & CPUID_1_EDX_MEMORY_TYPES)
		msr_write(MSR_MEMORY_TYPES, MEMORY_TYPES);
}
