/*
 * The services that everything else stands on, started in their order.
 */
#ifndef KERNEL_START_H
#define KERNEL_START_H

struct boot_information;

/* From what the boot loader told to all processors up and waiting for their release: console, machine,
 * topology, clock, memory, processors. The command line must have been parsed. */
void kernel_start(struct boot_information *boot);

#endif
