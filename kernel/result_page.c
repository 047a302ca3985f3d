#include "kernel/result_page.h"

#include "kernel/format.h"

#define ROWS_ABOVE   2 /* the title and the headings */
#define ROWS_BELOW   2 /* a note and the footer */
#define COLUMN_WIDTH (RESULT_ROW_MAXIMUM + 3)

static unsigned entries_a_column(const struct result_table *table)
{
	return table->rows - ROWS_ABOVE - ROWS_BELOW;
}

/* On a screen narrower than a column, the column's beginning is shown. */
static unsigned table_columns(const struct result_table *table)
{
	unsigned columns = table->columns / COLUMN_WIDTH;
	return columns > 0 ? columns : 1;
}

static unsigned entries_a_page(const struct result_table *table)
{
	return entries_a_column(table) * table_columns(table);
}

unsigned result_table_pages(const struct result_table *table)
{
	unsigned entries = entries_a_page(table);
	return (table->log->rows + entries - 1) / entries;
}

static void title(const struct result_log *log, char *text, size_t size)
{
	size_t length = format_text(text, size, "%u result%s", log->rows, log->rows == 1 ? "" : "s");
	if (log->failed > 0 && length < size)
		length += format_text(text + length, size - length, ", %u of them failed", log->failed);
	if (log->lost > 0 && length < size)
		format_text(text + length, size - length, "; %u more did not fit into the memory for them",
		            log->lost);
}

/* The table's entry in a column, at a row of the page. */
static void entry(const struct result_table *table, unsigned page, unsigned row, unsigned column, char *text,
                  size_t size)
{
	unsigned first = page * entries_a_page(table) + column * entries_a_column(table);
	text[0] = 0;
	if (first >= table->log->rows)
		return;
	if (row < ROWS_ABOVE)
		format_text(text, size, "%s", result_headings);
	else if (row - ROWS_ABOVE < table->log->rows - first)
		result_log_row(table->log, first + row - ROWS_ABOVE, text, size);
}

void result_table_row(const struct result_table *table, unsigned page, unsigned row, char *text, size_t size)
{
	size_t length = 0;
	text[0] = 0;
	if (row == 0)
		title(table->log, text, size);
	if (row == 0 || row >= table->rows - ROWS_BELOW)
		return;
	for (unsigned column = 0; column < table_columns(table) && length < size; column++) {
		char part[RESULT_ROW_MAXIMUM + 1];
		entry(table, page, row, column, part, sizeof(part));
		length += format_text(text + length, size - length, "%-*s", COLUMN_WIDTH, part);
	}
}

void result_page_footer(unsigned page, unsigned pages, char *text, size_t size)
{
	format_text(text, size, "page %u of %u. A key shows the next one; backspace or left, the one before",
	            page + 1, pages);
}
