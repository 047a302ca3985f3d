/*
 * This machine's memory type range registers: made the same on every processor.
 */
#ifndef ARCH_BARE_MEMORY_TYPES_H
#define ARCH_BARE_MEMORY_TYPES_H

struct boot_information;

/* On the boot processor: take uncached memory out of the memory map, with a warning: it is slower than any
 * measurement expects. Before page tables are made. */
void memory_types_start(struct boot_information *boot);

/* On another processor: copy the boot processor's settings. */
void memory_types_follow(void);

/* On the boot processor, after all others: log how many had to change. */
void memory_types_report(void);

#endif
