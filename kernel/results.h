/*
 * Results that a machine shows on its screen when its run has ended: the lines, as they were printed, and how each of
 * them becomes one short row. Nothing is kept where no memory was given for it: a hosted program has no screen.
 *
 * | operation         | together with | progress  | takes effect                                 |
 * |-------------------|---------------|-----------|----------------------------------------------|
 * | result_log_keep   | nothing       | wait-free | at once; whoever serves the console calls it |
 * | the others        | each other    | wait-free | once nothing is printed any more             |
 */
#ifndef KERNEL_RESULTS_H
#define KERNEL_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

struct result_log {
	char *text; /* lines, each with its end */
	size_t size, length;
	unsigned rows, failed; /* lines that become a row, and how many of these say that something failed */
	unsigned benchmarks;   /* rows that are results of benchmarks */
	unsigned lost;         /* lines for which there was no room */
};

extern struct result_log result_log; /* of this machine */

/* From now on lines are kept in this memory. */
void result_log_start(struct result_log *log, char *memory, size_t size);

/* Keep a printed line, with its end, if it is a result, the line on the machine, or a test's line on a failure or on
 * the number of tests; others are left out. */
void result_log_keep(struct result_log *log, const char *line, size_t length);

/* The headings of the rows, as long as a row at most. */
#define RESULT_ROW_MAXIMUM 61
extern const char result_headings[];

/* The row at `place`, 0 to log->rows - 1: failures first, else in the order in which they came. `size` is
 * RESULT_ROW_MAXIMUM + 1 at least; what is too long for its column is cut and ends in '~'. */
void result_log_row(const struct result_log *log, unsigned place, char *row, size_t size);

/* The same results for a camera: squares, dark and light, in a square; a byte each, whose lowest bit says dark. */
struct result_code {
	unsigned width;
	const unsigned char *squares;
};

#define RESULT_CODES_MAXIMUM 64

struct result_codes {
	unsigned count;
	struct result_code codes[RESULT_CODES_MAXIMUM];
	const char *
	    missing; /* why there are none: a sentence without its end; NULL: none were wanted, or there are some */
};

extern struct result_codes result_codes; /* of this machine: made at its end, before it is shut down */

#endif
