/*
 * The console (arch_console_write() in arch.h).
 */
#ifndef MACHINE_CONSOLE_H
#define MACHINE_CONSOLE_H

#include <stdbool.h>

/* Whether results could not be written to standard output. */
bool console_lost(void);

#endif
