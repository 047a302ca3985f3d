/*
 * Where processors wait for lines: for each place in the code, how often, and for how long in all.
 */
#ifndef MACHINE_WAITS_H
#define MACHINE_WAITS_H

#include <stdint.h>
#include <stdio.h>

/* Count from now on. */
void waits_start(void);

/* A line that the code at this address needs was got, and its processor waited for so long. */
void waits_add(uint64_t address, uint64_t time);

/* As a member of a JSON object: those functions first that waited longest. */
void waits_print(FILE *file);

#endif
