/*
 * What was counted: lines that moved, between marks_begin() and marks_end() (user/bench/marks.h) where a program has
 * them; and how much the simulator had to do.
 */
#ifndef MACHINE_COUNTS_H
#define MACHINE_COUNTS_H

#include <stdbool.h>

/* Write all to a file, as JSON. False: a sentence is on standard error. */
bool counts_write(const char *path);

#endif
