/*
 * Starts the services under everything else, in order.
 */
#ifndef KERNEL_START_H
#define KERNEL_START_H

struct boot_information;

/* From the boot loader's information to processors that are up and wait to be released: console, machine, topology,
 * clock, memory, processors. The command line must have been parsed. */
void kernel_start(struct boot_information *boot);

#endif
