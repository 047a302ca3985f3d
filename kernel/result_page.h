/*
 * The table of results in pages for a screen: the text of each row. The last row of a page is the footer; the one
 * above is left free for a note of the caller's:
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

/* How many pages the table has; 0: there are no results. */
unsigned result_table_pages(const struct result_table *table);

/* The text of a row of a page, both counted from 0; empty for a row without text. `size` is at least a screen's row
 * and a closing 0. */
void result_table_row(const struct result_table *table, unsigned page, unsigned row, char *text, size_t size);

/* The last row of a page, which is 0 to pages - 1. */
void result_page_footer(unsigned page, unsigned pages, char *text, size_t size);

#endif
