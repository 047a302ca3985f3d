/*
 * Each processor's own interrupt controller: the local APIC, by memory (xAPIC) or by model-specific registers
 * (x2APIC). All functions act on the controller of the processor that calls.
 */
#ifndef ARCH_BARE_APIC_H
#define ARCH_BARE_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/bare/machine.h"

#define APIC_NARROW_ID_MAXIMUM 254 /* the highest id that xAPIC can address; 255 means all */

/* What to send, beside a plain vector. */
enum apic_command {
	APIC_COMMAND_FIXED = 0x0000,
	APIC_COMMAND_NMI = 0x0400,
	APIC_COMMAND_INIT = 0x4500,  /* with the level asserted */
	APIC_COMMAND_START = 0x4600, /* plus the number of the page where it starts, below 1 MiB */
};

/* Find and enable the boot processor's controller. `want_wide`: some ids are above APIC_NARROW_ID_MAXIMUM, so use
 * x2APIC if the processor has it. */
void apic_start(uint64_t firmware_address, bool want_wide);

/* Enable the controller of another processor in the mode that apic_start() chose. */
void apic_enable(void);

/* Whether ids have 32 bits (x2APIC). */
bool apic_is_wide(void);

/* Where the memory-mapped registers are; 0 before apic_start(). */
uintptr_t apic_registers(void);

uint32_t apic_id(void);

/* Send to another processor. False: the controller did not take it in time. */
bool apic_send(uint32_t hardware_id, uint32_t command);

/* The timer counts down from `count` to 0, `frequency` times a second, and then interrupts once (VECTOR_TIMER); 0
 * stops it. If it compares with the time-stamp counter instead, see apic_timer_has_deadline(). */
void apic_timer_set(uint32_t count);
uint32_t apic_timer_count(void);

/* Whether the timer takes a deadline: the value of the time-stamp counter at which it interrupts; 0 stops it. */
bool apic_timer_has_deadline(void);
void apic_timer_set_deadline(uint64_t cycles);

#endif
