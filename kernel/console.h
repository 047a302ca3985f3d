/*
 * Output in lines: the log and the results. A line is formatted on the caller's stack and published whole in a ring.
 * The processor that holds the serving bit puts it on the devices; a writer that finds the bit set leaves its line
 * there and goes on. So lines of different processors never mix, and no writer waits for another processor.
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

#define CONSOLE_LINE_MAXIMUM 1000 /* longer lines are cut, and end in "..." */

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

extern enum log_level log_level; /* lines above it are left out; set by log= */

/* Forget what an earlier machine has left in this process. */
void console_start(void);

/* One line, without a line end. A '\n' inside is printed as a blank. No %f, %e or %g: the registers for these are not
 * saved (ARCH_WITHOUT_VECTORS). */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line that must not be lost (results, test reports), printed as it is. False: the ring is full; let others run,
 * then try again. `line` has at most CONSOLE_LINE_MAXIMUM bytes. */
bool console_result(const char *line);

/* Text that does not end its line, such as a prompt: any bytes, at most CONSOLE_LINE_MAXIMUM, put out unchanged.
 * Whatever other output follows begins a new line. False: as above. */
bool console_put(const char *text);

/* How many lines and texts were published so far: after a prompt it tells whether other output has followed. */
unsigned long console_position(void);

/* Put out everything that was published before the call. */
void console_flush(void);

/* From panic only: take the devices over for good. From then on log lines of other processors are ignored, and
 * console_panic_line() writes at once. */
void console_panic_start(void);
void console_panic_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How many log lines were dropped since boot. */
unsigned long console_dropped(void);

#endif
