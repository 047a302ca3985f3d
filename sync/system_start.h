/*
 * The start of the system, in its order: the kernel's services, the scheduler, the locks.
 */
#ifndef SYNC_SYSTEM_START_H
#define SYNC_SYSTEM_START_H

struct boot_information;

/* Boot processor. Tasks can be made from here on; they run when the processors are let go: arch_processors_release(),
 * and scheduler_run() on this one. The command line must have been parsed. */
void system_start(struct boot_information *boot);

#endif
