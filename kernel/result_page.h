/*
 * The table of results in pages for a screen: what stands in each row of it. A page, of which the last row is the
 * footer's and the one above it is left to whoever shows the page:
 *
 *     34 results, 1 of them failed
 *     benchmark    variant ...      benchmark    variant ...
 *     (failures first, then the others, down the first column and then down the next)
 *
 *     page 2 of 5. ...
 */
#ifndef KERNEL_RESULT_PAGE_H
#define KERNEL_RESULT_PAGE_H

#include "kernel/results.h"

struct result_table {
	const struct result_log *log;
	unsigned columns, rows; /* of the screen; 5 rows at least */
};

/* How many pages the table has; 0: there is no result. */
unsigned result_table_pages(const struct result_table *table);

/* The text of a row of a page of the table, both from 0 on; empty for a row that has none. `size` is a screen's row at
 * least, and its end. */
void result_table_row(const struct result_table *table, unsigned page, unsigned row, char *text, size_t size);

/* The last row of any page, 0 to pages - 1. */
void result_page_footer(unsigned page, unsigned pages, char *text, size_t size);

#endif
