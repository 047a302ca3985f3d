/*
 * What each processor needs before it can take a fault: descriptor table, task state with the interrupt stacks, and
 * the GS base that leads to its block.
 */
#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"

#define DESCRIPTOR_CODE       0x00af9b000000ffffull
#define DESCRIPTOR_DATA       0x00cf93000000ffffull
#define DESCRIPTOR_TASK_STATE 0x0000890000000000ull

#define MSR_FS_BASE 0xc0000100
#define MSR_GS_BASE 0xc0000101

#define STACK_LIMIT_AT 0x70 /* offset from the FS base at which compiled code looks for it */

/* selectors.asm: load the segment registers with SELECTOR_CODE and SELECTOR_DATA. */
void selectors_load(void);

struct table_pointer {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));

static void task_state_fill(struct arch_processor *arch)
{
	for (unsigned stack = STACK_FAULT; stack < STACKS_END; stack++)
		arch->task_state.interrupt_stack[stack - 1] =
		    (uintptr_t)arch->interrupt_stacks[stack - 1] + INTERRUPT_STACK_SIZE;
	arch->task_state.permission_map = sizeof(arch->task_state);
}

static void descriptors_fill(struct arch_processor *arch)
{
	uint64_t base = (uintptr_t)&arch->task_state;
	arch->descriptors[SELECTOR_CODE / 8] = DESCRIPTOR_CODE;
	arch->descriptors[SELECTOR_DATA / 8] = DESCRIPTOR_DATA;
	arch->descriptors[SELECTOR_TASK / 8] = DESCRIPTOR_TASK_STATE | (sizeof(arch->task_state) - 1) |
	                                       (base & 0xffffff) << 16 | (base >> 24 & 0xff) << 56;
	arch->descriptors[SELECTOR_TASK / 8 + 1] = base >> 32;
}

void processor_bases_set(struct processor *processor)
{
	msr_write(MSR_GS_BASE, arch_processor_distance(processor));
	msr_write(MSR_FS_BASE, (uintptr_t)&processor->stack_limit - STACK_LIMIT_AT);
}

void descriptors_load(struct processor *processor)
{
	struct arch_processor *arch = processor->arch;
	task_state_fill(arch);
	descriptors_fill(arch);
	struct table_pointer pointer = {sizeof(arch->descriptors) - 1, (uintptr_t)arch->descriptors};
	__asm__ volatile("lgdt %0" : : "m"(pointer) : "memory");
	selectors_load();
	__asm__ volatile("ltr %w0" : : "r"(SELECTOR_TASK) : "memory");
	interrupt_table_load();
	processor_bases_set(processor);
}
