/*
 * Results that a machine shows on its screen when its run has ended: the lines as they were printed, and how each
 * becomes one short row. Without memory for them none are kept: a hosted program has no screen.
 *
 * | operation         | together with | progress  | takes effect                                 |
 * |-------------------|---------------|-----------|----------------------------------------------|
 * | result_log_keep   | nothing       | wait-free | at once; called by the console's server      |
 * | the others        | each other    | wait-free | once no more is printed                      |
 */
#ifndef KERNEL_RESULTS_H
#define KERNEL_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

struct result_log {
	char *text; /* lines, each with its end */
	size_t size, length;
	unsigned rows, failed; /* lines that become a row, and how many of these tell of a failure */
	unsigned benchmarks;   /* rows that are results of benchmarks */
	unsigned lost;         /* lines that found no room */
};

extern struct result_log result_log; /* of this machine */

/* Keep lines in this memory from now on. */
void result_log_start(struct result_log *log, char *memory, size_t size);

/* Keep a printed line, with its end, if it is a result, the line about the machine, or a test's line about a failure
 * or the number of tests. Others are ignored. */
void result_log_keep(struct result_log *log, const char *line, size_t length);

/* The headings of the rows, at most as long as a row. */
#define RESULT_ROW_MAXIMUM 61
extern const char result_headings[];

/* The row at `place`, 0 to log->rows - 1: failures first, then the others, each in the order of printing. `size` is
 * at least RESULT_ROW_MAXIMUM + 1. A text that is too long for its column is cut and ends in '~'. */
void result_log_row(const struct result_log *log, unsigned place, char *row, size_t size);

/* The same results for a camera: a square of dark and light squares, a byte each. The lowest bit means dark. */
struct result_code {
	unsigned width;
	const unsigned char *squares;
};

#define RESULT_CODES_MAXIMUM 64

struct result_codes {
	unsigned count;
	struct result_code codes[RESULT_CODES_MAXIMUM];
	const char *missing; /* why there are none: a sentence without a full stop; NULL: no reason to tell */
};

extern struct result_codes result_codes; /* of this machine: made at its end, before it is shut down */

#endif
