/*
 * Where processors wait for lines: how often and for how long in all, for each place in the code.
 */
#ifndef MACHINE_WAITS_H
#define MACHINE_WAITS_H

#include <stdint.h>
#include <stdio.h>

/* Begin to count. */
void waits_start(void);

/* A processor has waited for a line, for `time`, at this address of its code. */
void waits_add(uint64_t address, uint64_t time);

/* Print a member of a JSON object: functions by the time that they waited, the longest first. */
void waits_print(FILE *file);

#endif
