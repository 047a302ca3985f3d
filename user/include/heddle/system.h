/*
 * The machine as tasks see it: clock, processors, memory, log.
 */
#ifndef HEDDLE_SYSTEM_H
#define HEDDLE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#include "heddle/attributes.h"
#include "heddle/scope.h"

HEDDLE_GLOBAL_BEGIN

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

/* Memory for user code: whole pages, so for buffers and arrays rather than for small objects. What is taken
 * is `bytes` rounded up to a power of two of at least 4 KiB, aligned to 4 KiB; at most 1 GiB at once;
 * contents undefined. NULL: none left, or 0 bytes asked for. heddle_free() takes the size that was asked for,
 * and does nothing with NULL. */
void *heddle_allocate(size_t bytes);
void heddle_free(void *memory, size_t bytes);

/*
 * Formats, for heddle_log(), heddle_print() and program_failed(), are the part of printf's that Heddle has:
 *   - the conversions %d %i %u %x %p %c %s %%, with the lengths hh, h, l, ll and z;
 *   - the flags '-' and '0', a width, and for %s a precision, these two also as '*'.
 * There is no floating point. Anything else is printed as it stands in the format, and so is all that follows
 * it, since nobody knows which argument that would belong to.
 *
 * A line has at most HEDDLE_LINE_MAXIMUM characters, in the log with the time and the processor that it
 * begins with. A longer one is cut and then ends in "...".
 */
#define HEDDLE_LINE_MAXIMUM 1000

/* A line in the log, at level info; dropped and counted when the log is overrun. Its end is added; a '\n'
 * inside becomes a blank. */
void heddle_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Put into the log what each task does or waits for, and each circle of tasks that wait for each other, with
 * the locks between them. Locks that tasks wait for must stay in place meanwhile. The same comes by itself
 * when no task can go on. */
void heddle_report_tasks(void);

/* A line of output that is never lost: waits (the task sleeps, the processor goes on) while the console is
 * full. Its end is added; a '\n' inside stays. */
HEDDLE_MAY_SWITCH void heddle_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

HEDDLE_GLOBAL_END

#endif
