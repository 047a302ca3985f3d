/*
 * Marks for who counts from outside: plug-ins for QEMU find these functions by their names and see that they
 * are executed (tools/measure/instructions/, tools/measure/coherence/). They do nothing, and cost others nothing.
 */
#ifndef USER_BENCH_MARKS_H
#define USER_BENCH_MARKS_H

#include <stddef.h>

/* What is counted lies between these two; there may be several such parts, one after the other. */
void marks_begin(void);
void marks_end(void);

/* What memory is, for who follows it line by line; before marks_begin(). Memory that nothing is said of is the
 * rest: scheduler, tasks and their stacks. Each reads a byte of each line. */
void marks_lock(const void *memory, size_t bytes); /* a lock, and a queue that belongs to it */
void marks_data(const void *memory, size_t bytes); /* what a lock protects */
void marks_own(const void *memory, size_t bytes);  /* what one task alone uses */

#endif
