/*
 * The progress of the simulation, on a terminal: virtual time, and how fast it passes. The simulated system does not
 * notice it.
 */
#ifndef MACHINE_PROGRESS_H
#define MACHINE_PROGRESS_H

#include <stdint.h>

/* Show progress from now on, if standard error is a terminal. */
void progress_start(void);

/* The simulator calls this now and then with the virtual time, in picoseconds. */
void progress_look(uint64_t time);

/* Show no progress any more: the terminal is needed for input. */
void progress_stop(void);

/* Clear the line of progress, before anything else is written. */
void progress_clear(void);

#endif
