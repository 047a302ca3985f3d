/*
 * What the first process of a Linux machine does besides running programs.
 */
#ifndef TOOLS_LINUX_MACHINE_H
#define TOOLS_LINUX_MACHINE_H

#include <stdbool.h>

/* Raise the limits on the number of threads, so that only memory limits it, and describe the machine. */
void machine_set_up(void);

/* End the machine through the exit device, as Heddle does: QEMU's status then tells success from failure. */
_Noreturn void machine_end(bool ok);

#endif
