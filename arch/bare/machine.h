/*
 * What the files of arch/bare/ share with each other alone: the machine's part of a processor's block, and the
 * functions that one file calls in another.
 */
#ifndef ARCH_BARE_MACHINE_H
#define ARCH_BARE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"

struct boot_information;

/* ------------------------------------------------------------------------- a processor's descriptors -- */

#define SELECTOR_CODE 0x08
#define SELECTOR_DATA 0x10
#define SELECTOR_TASK 0x18 /* takes two entries */

/* Faults after which the machine cannot go on, whatever was running. */
#define VECTOR_DOUBLE_FAULT  8
#define VECTOR_MACHINE_CHECK 18

/* Vectors that are no fault. The handlers of wake and timer only signal the end of the interrupt. */
#define VECTOR_WAKE     0xf0
#define VECTOR_TIMER    0xf1
#define VECTOR_SPURIOUS 0xff

/* No handler runs on the interrupted stack: the task may be using the red zone below its stack pointer, or may have
 * overflowed its stack. The value is the number in the interrupt gate; 0 would mean "the running stack". */
enum interrupt_stack {
	STACK_FAULT = 1,
	STACK_NMI,
	STACK_DOUBLE_FAULT,
	STACK_MACHINE_CHECK,
	STACK_INTERRUPT,
	STACKS_END,
};

#define INTERRUPT_STACK_SIZE 12288

struct task_state_segment {
	uint32_t reserved_0;
	uint64_t privilege_stack[3];
	uint64_t reserved_1;
	uint64_t interrupt_stack[7]; /* [enum interrupt_stack - 1] */
	uint64_t reserved_2;
	uint16_t reserved_3;
	uint16_t permission_map; /* beyond the limit: no permission map */
} __attribute__((packed));

_Static_assert(sizeof(struct task_state_segment) == 104, "the processor fixes the layout");

struct arch_processor {
	uint64_t descriptors[5]; /* null, code, data, task state (two) */
	struct task_state_segment task_state;
	_Atomic uint32_t idle_state __attribute__((aligned(CACHE_LINE))); /* idle.c */
	atomic_bool stopped, notified, examined, interrupted;             /* nmi.c */
	uint8_t interrupt_stacks[STACKS_END - 1][INTERRUPT_STACK_SIZE] __attribute__((aligned(4096)));
};

_Static_assert(sizeof(struct arch_processor) == 65536, "a power of two of pages, so that none is wasted");

/* Fill processor->arch and load it on the running processor, which is `processor`: descriptor table, task state,
 * interrupt table, GS base. processor->arch is zeroed memory, aligned to a page. (descriptors.c) */
void descriptors_load(struct processor *processor);

/* Let the owner find its processor's block, and compiled code the limit of its stack. */
void processor_bases_set(struct processor *processor);

/* The interrupt table, one for all processors: created once by the boot processor, loaded by descriptors_load(). It
 * fills the page interrupt_table_page(). (interrupts.c) */
void interrupt_table_create(void);
void interrupt_table_load(void);
uintptr_t interrupt_table_page(void);

/* Switch on what the kernel's code needs and the processor has: vector registers, no-execute, write protection in the
 * kernel, memory types. The same on every processor, as soon as it can report a fault. (features.c) */
void processor_features_enable(void);
bool processor_has_no_execute(void);

/* Have the running processor report hardware errors by a fault, and log the earlier errors that it still remembers.
 * (machine_check.c) */
void machine_check_start(void);

/* In a machine check: print what the processor knows of it through `line`. */
void machine_check_report(void (*line)(const char *format, ...));

/* Choose how processors idle. On the boot processor, before it idles. (idle.c) */
void idle_choose(void);

/* --------------------------------------------------------------------------------------- page tables -- */

enum paging_type {
	PAGING_NONE,       /* not mapped: every access faults */
	PAGING_READ_ONLY,  /* memory, write-back */
	PAGING_READ_WRITE, /* memory, write-back */
	PAGING_EXECUTE,    /* memory, write-back, read-only */
	PAGING_DEVICE,     /* read-write, uncached */
	PAGING_COMBINE,    /* read-write, writes combined: a framebuffer */
};

/* Build the final page tables and load them on the boot processor. (paging.c) */
void paging_start(struct boot_information *boot);

/* The value of CR3 on every processor, below 4 GiB. 0 until paging_start() has ended. */
uint64_t paging_root(void);

/* Whether paging_start() has mapped [base, base + length), so that it may be read: the low 4 GiB except page 0, and
 * memory above. Check with it whatever firmware tables point to. */
bool paging_covers(uint64_t base, uint64_t length);

/* ------------------------------------------------------------------------------------------- devices -- */

/* Show what the console printed before its devices were known, on a serial line or screen that has just been chosen.
 * After console_early_end() such text is no longer kept. (console.c) */
void console_show_early_on_serial(void);
void console_show_early_on_screen(void);
void console_early_end(void);

/* Copy what the console has printed so far to the log in memory. (console.c) */
void console_keep_early(void);

/* Begin the log in memory, at a place taken out of the memory map. Before others take memory. (log_memory.c) */
void log_memory_start(struct boot_information *boot);

/* Show what was printed, if the machine ends before its screen was started. (start.c) */
void machine_show_failure(void);

/* Tell the local APIC that the interrupt was handled. (apic.c) */
void apic_end_of_interrupt(void);

/* A non-maskable interrupt came at this place. Runs on a stack of its own; returning goes on at the place. (nmi.c) */
void nmi_handle(const struct arch_place *place);

/* Take the page below 1 MiB where the other processors start out of the memory map, and leave the rest below to the
 * firmware. Before memory_start(). (processors.c) */
void trampoline_take(struct boot_information *boot);

/* Switch the machine off by ACPI. Returns if that is not possible. */
void power_off(void);

/* Start the machine from the beginning. Returns only if that is not possible. (reset.c) */
void machine_reset(void);

#endif
