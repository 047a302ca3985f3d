/*
 * What the first process of a Linux machine does besides running programs.
 */
#ifndef TOOLS_LINUX_MACHINE_H
#define TOOLS_LINUX_MACHINE_H

#include <stdbool.h>

/* Lift the limits on the number of threads, so that memory alone limits it, and say what the machine is. */
void machine_set_up(void);

/* End the machine, by the exit device as Heddle does: QEMU's status then tells success from failure. */
_Noreturn void machine_end(bool ok);

#endif
