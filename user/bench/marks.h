/*
 * Marks for counting from outside: plug-ins for QEMU find these functions by name and notice when they are executed
 * (tools/measure/instructions/, tools/measure/coherence/). They do nothing, and cost other code nothing.
 */
#ifndef USER_BENCH_MARKS_H
#define USER_BENCH_MARKS_H

#include <stddef.h>

/* Count between these two; there may be several such parts, one after the other. */
void marks_begin(void);
void marks_end(void);

/* The purpose of memory, for tracing it line by line; call before marks_begin(). All other memory is the rest:
 * scheduler, tasks and their stacks. Each function reads a byte of each line. */
void marks_lock(const void *memory, size_t bytes); /* a lock, and a queue that belongs to it */
void marks_data(const void *memory, size_t bytes); /* what a lock protects */
void marks_own(const void *memory, size_t bytes);  /* what one task alone uses */

#endif
