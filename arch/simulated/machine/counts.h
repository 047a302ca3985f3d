/*
 * Counts: the lines that moved between marks_begin() and marks_end() (user/bench/marks.h), and what the simulator did.
 */
#ifndef MACHINE_COUNTS_H
#define MACHINE_COUNTS_H

#include <stdbool.h>

/* Write all counts to a file, as JSON. False: failed, and standard error says why. */
bool counts_write(const char *path);

#endif
