/*
 * How far the simulation is, on a terminal: virtual time, and how fast it passes. It changes nothing of what is
 * simulated.
 */
#ifndef MACHINE_PROGRESS_H
#define MACHINE_PROGRESS_H

#include <stdint.h>

/* If standard error is a terminal. */
void progress_start(void);

/* Called now and then with the virtual time, in picoseconds. */
void progress_look(uint64_t time);

/* No longer: somebody types there. */
void progress_stop(void);

/* Before anything else is written. */
void progress_clear(void);

#endif
