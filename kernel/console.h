/*
 * Lines out: the log and the results. A line is formatted on the caller's stack, published whole into a ring,
 * and put on the devices by whichever processor holds the serving bit; a writer that finds the bit set leaves
 * its line and goes. Lines of different processors are therefore never mixed, and no writer waits for another
 * processor.
 *
 * | operation      | progress                                      | takes effect         |
 * |----------------|-----------------------------------------------|----------------------|
 * | log_*          | lock-free; a line that finds the ring full is | at the CAS that      |
 * |                | dropped and counted, and the count is printed | takes the slot       |
 * | console_result | lock-free; false when the ring is full        | the same             |
 * | console_put    | the same                                      | the same             |
 * | console_flush  | ends when the ring was seen empty; bounded    |                      |
 */
#ifndef KERNEL_CONSOLE_H
#define KERNEL_CONSOLE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define CONSOLE_LINE_MAXIMUM 1000 /* longer lines are cut, and say so with a closing "..." */

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

extern enum log_level log_level; /* lines above it are left out; set by log= */

/* Forget what a machine before this one has left in this process. */
void console_start(void);

/* One line, without a line end. A '\n' inside is printed as a blank. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line of output that must not be lost (results, test reports), printed as it is. False: the ring is full;
 * let others run, then try again. `line` is at most CONSOLE_LINE_MAXIMUM bytes. */
bool console_result(const char *line);

/* Text of a line that is not at its end, such as a prompt: any bytes, at most CONSOLE_LINE_MAXIMUM, put out as they
 * are. What comes otherwise begins a new line. False: as above. */
bool console_put(const char *text);

/* How many lines and texts were ever published: who has put out a prompt sees that others came behind it. */
unsigned long console_position(void);

/* Put out everything that was published before the call. */
void console_flush(void);

/* From panic only: take the devices over for good; from then on log lines of others are ignored, and
 * console_panic_line() writes at once. */
void console_panic_start(void);
void console_panic_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How many log lines were dropped since boot. */
unsigned long console_dropped(void);

#endif
