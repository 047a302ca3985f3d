/*
 * The machine as tasks see it: clock, processors, memory, log.
 */
#ifndef HEDDLE_SYSTEM_H
#define HEDDLE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds since boot, monotonic. */
uint64_t heddle_clock(void);

/* How many processors run, and which one the caller is on now (it may be another after any call that may
 * switch). */
unsigned heddle_processors(void);
unsigned heddle_processor(void);

/* "global" or "local": the policy of the ready queues. */
const char *heddle_policy(void);

/* The seed= of the command line; programs derive all their random numbers from it. */
uint64_t heddle_seed(void);

/* Memory for user code, aligned to 64 bytes; at most 1 GiB at once; contents undefined. NULL: none left.
 * heddle_free() takes the size that was asked for. */
void *heddle_allocate(size_t bytes);
void heddle_free(void *memory, size_t bytes);

/* A line in the log, at level info; dropped and counted when the log is overrun. */
void heddle_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line of output that is never lost: waits (the task suspends, the processor goes on) while the console is
 * full. */
void heddle_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
