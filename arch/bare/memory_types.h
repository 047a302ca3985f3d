/*
 * The memory type range registers of this machine: what firmware has set them to, on every processor alike.
 */
#ifndef ARCH_BARE_MEMORY_TYPES_H
#define ARCH_BARE_MEMORY_TYPES_H

struct boot_information;

/* On the boot processor: take out of the memory map what no cache keeps, with a warning, as it would be slower than
 * anything that measures it expects. Before page tables are made. */
void memory_types_start(struct boot_information *boot);

/* On another processor: have its registers say what those of the boot processor do. */
void memory_types_follow(void);

/* On the boot processor, when all have: log how many had to. */
void memory_types_report(void);

#endif
