/*
 * The interrupt table: which code and which stack each vector gets.
 */
#include "arch/bare/machine.h"

#define VECTORS        256
#define VECTOR_DEVICES 32 /* the processor's own vectors are below */
#define VECTOR_NMI     2
#define GATE_INTERRUPT 0x8e /* present; interrupts stay off in the handler */

struct gate {
	uint16_t offset_low, selector;
	uint8_t stack, attributes;
	uint16_t offset_middle;
	uint32_t offset_high, reserved;
};

_Static_assert(sizeof(struct gate) == 16, "the processor fixes the layout");
_Static_assert(VECTORS * sizeof(struct gate) == 4096, "exactly one page");

/* interrupts.asm */
extern void (*const fault_entries[VECTOR_DEVICES])(void);
void interrupt_nmi_entry(void);
void interrupt_acknowledge_entry(void);
void interrupt_ignore_entry(void);

/* A page of its own, which paging.c makes read-only: even code that overwrites all of memory is still reported. */
static struct gate table[VECTORS] __attribute__((aligned(4096)));

static void gate_set(unsigned vector, void (*entry)(void), enum interrupt_stack stack)
{
	uintptr_t address = (uintptr_t)entry;
	table[vector] = (struct gate){
	    .offset_low = (uint16_t)address,
	    .offset_middle = (uint16_t)(address >> 16),
	    .offset_high = (uint32_t)(address >> 32),
	    .selector = SELECTOR_CODE,
	    .stack = stack,
	    .attributes = GATE_INTERRUPT,
	};
}

void interrupt_table_create(void)
{
	for (unsigned vector = 0; vector < VECTOR_DEVICES; vector++)
		gate_set(vector, fault_entries[vector], STACK_FAULT);
	for (unsigned vector = VECTOR_DEVICES; vector < VECTORS; vector++)
		gate_set(vector, interrupt_ignore_entry, STACK_INTERRUPT);
	gate_set(VECTOR_NMI, interrupt_nmi_entry, STACK_NMI);
	gate_set(VECTOR_DOUBLE_FAULT, fault_entries[VECTOR_DOUBLE_FAULT], STACK_DOUBLE_FAULT);
	gate_set(VECTOR_MACHINE_CHECK, fault_entries[VECTOR_MACHINE_CHECK], STACK_MACHINE_CHECK);
	gate_set(VECTOR_WAKE, interrupt_acknowledge_entry, STACK_INTERRUPT);
	gate_set(VECTOR_TIMER, interrupt_acknowledge_entry, STACK_INTERRUPT);
}

uintptr_t interrupt_table_page(void)
{
	return (uintptr_t)table;
}

void interrupt_table_load(void)
{
	struct {
		uint16_t limit;
		uint64_t base;
	} __attribute__((packed)) pointer = {sizeof(table) - 1, (uintptr_t)table};
	__asm__ volatile("lidt %0" : : "m"(pointer) : "memory");
}
