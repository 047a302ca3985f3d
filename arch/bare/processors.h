/*
 * Starting the other processors. Each has an entry in a list, through which the boot processor and the arriving
 * processor agree:
 *
 *     AWAITED --the processor, in trampoline.asm--> ARRIVED --the processor, in processor_arrive()--> READY
 *     AWAITED or ARRIVED --the boot processor has waited long enough--> ABANDONED
 *
 * Every step is one CAS. A processor whose step fails was given up, and halts for good. Until then it has touched
 * only its own entry, stack and machine part, which are not reused.
 */
#ifndef ARCH_BARE_PROCESSORS_H
#define ARCH_BARE_PROCESSORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"
#include "kernel/topology.h"

enum start_state { START_AWAITED, START_ARRIVED, START_READY, START_ABANDONED };

/* trampoline.asm knows this layout. */
struct processor_start {
	struct processor block; /* used until release: its index is known only then */
	uint32_t hardware_id;
	_Atomic uint32_t state;
	void *stack_top;
	struct processor *processor;     /* the final block; NULL until it is ready */
	struct topology_processor place; /* as the processor itself reports it, without its node */
};

_Static_assert(offsetof(struct processor_start, hardware_id) == 128, "START_HARDWARE_ID in trampoline.asm");
_Static_assert(offsetof(struct processor_start, state) == 132, "START_STATE in trampoline.asm");
_Static_assert(offsetof(struct processor_start, stack_top) == 136, "START_STACK in trampoline.asm");
_Static_assert(sizeof(struct processor_start) == 192, "START_SIZE in trampoline.asm");
_Static_assert(START_AWAITED == 0 && START_ARRIVED == 1, "the states in trampoline.asm");

/* What trampoline.asm reads; constant while processors come up. */
extern struct processor_start *processor_start_list;
extern uint32_t processor_start_count;
extern uint8_t processor_start_wide;   /* whether ids have 32 bits */
extern uintptr_t processor_start_apic; /* if not: where the controller's registers are */
extern uint32_t processor_start_root, processor_start_efer;

/* The code of trampoline.asm to copy below 1 MiB. */
extern const uint8_t trampoline_begin[], trampoline_end[];

/* Where a started processor enters C, on its own stack. */
_Noreturn void processor_arrive(struct processor_start *start);

#endif
