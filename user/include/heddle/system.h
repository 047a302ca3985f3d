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

/* How many processors run, and on which one the caller is (any call that may switch may change that). */
unsigned heddle_processors(void);
unsigned heddle_processor(void);

/* "global" or "local": the policy of the ready queues. */
const char *heddle_policy(void);

/* The seed= of the command line; programs derive all random numbers from it. */
uint64_t heddle_seed(void);

/* Memory for user code, in whole pages: for buffers and arrays rather than for small objects. It takes `bytes`
 * rounded up to a power of two of at least 4 KiB, at most 1 GiB, aligned to 4 KiB; the contents are undefined. NULL:
 * none left, or 0 bytes asked for. heddle_free() takes the size that was asked for; NULL has no effect. */
void *heddle_allocate(size_t bytes);
void heddle_free(void *memory, size_t bytes);

/* Memory for small objects, from pools of each processor: at least `bytes`, aligned to 16, the contents undefined.
 * NULL: none left. Up to 4 KiB the size is rounded up to one of twelve (16, 32, 48, 64, 96, 128, 192, 256, 512, 1024,
 * 2048, 4096), and 16 bytes are added; such memory is used again for objects of that size alone. More comes as from
 * heddle_allocate(), with 16 bytes added.
 *
 * Any task may give it back. To do so twice, or with memory that heddle_new() has not made, is a panic that says so;
 * NULL has no effect. For tasks only: neither before the start of the machine nor in the host's threads. C++ programs
 * of the tree and of PROGRAMS= have `new` and `delete` by these. */
void *heddle_new(size_t bytes);
void heddle_delete(void *memory);

/*
 * Formats, for heddle_log(), heddle_print() and program_failed(), are a subset of printf's:
 *   - the conversions %d %i %u %x %p %c %s %f %e %g %%, with the lengths hh, h, l, ll and z;
 *   - the flags '-' and '0', a width, and for %s, %f, %e and %g a precision, these two also as '*'. A precision of a
 *     number is at most 40.
 * Anything else is printed unchanged, and so is the rest of the format, because it is unknown which arguments belong to
 * it.
 *
 * A line has at most HEDDLE_LINE_MAXIMUM characters; in the log that includes the time and the processor at its
 * beginning. A longer line is cut and ends in "...".
 */
#define HEDDLE_LINE_MAXIMUM 1000

/* Log a line at level info; dropped and counted when the log is overrun. The line end is added; a '\n' inside becomes
 * a blank. */
void heddle_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Log what each task does or waits for, and each circle of tasks that wait for each other, with the locks between
 * them. Locks that tasks wait for must stay in place meanwhile. The same is logged when no task can go on. */
void heddle_report_tasks(void);

/* Print a line that is never lost: if the console is full, the task sleeps and the processor goes on. The line end is
 * added; a '\n' inside stays. */
HEDDLE_MAY_SWITCH void heddle_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

HEDDLE_GLOBAL_END

#endif
