#include "arch/bare/result_screen.h"

#include "arch/arch.h"
#include "arch/bare/keyboard.h"
#include "arch/bare/screen.h"
#include "kernel/format.h"
#include "kernel/log_memory.h"
#include "kernel/log_page.h"
#include "kernel/result_page.h"

#define KEPT_BYTES   (256u << 10) /* some 600 results; the whole suite has fewer than 200 */
#define ROWS_MINIMUM 5

#define QUIET_SQUARES    4 /* light margin around a code, which readers need */
#define ROWS_BESIDE_CODE 2 /* the title and the footer */

#define NANOSECONDS_A_SECOND 1000000000ull
#define POLL                 20000000ull /* nanoseconds between two looks at the keyboard */

static char kept[KEPT_BYTES];

_Static_assert(SCREEN_COLUMNS_MAXIMUM <= LOG_COLUMNS_MAXIMUM, "a row of a log fits");

/* State of all pages: page 0 is the log. After it comes an earlier run's log, if this run was asked for it. */
struct pages {
	const struct screen *screen;
	struct result_table table;
	unsigned logs, tables, codes;
	const char *note; /* on each page of the table */
};

void result_screen_prepare(void)
{
	const struct screen *screen = screen_device();
	if (screen && screen->rows >= ROWS_MINIMUM)
		result_log_start(&result_log, kept, sizeof(kept));
}

/* Width of a code's square in pixels; 0: the screen is too coarse. */
static unsigned square_pixels(const struct screen *screen, const struct result_code *code)
{
	unsigned width = screen->columns * screen->cell_width;
	unsigned height = (screen->rows - ROWS_BESIDE_CODE) * screen->cell_height;
	return (width < height ? width : height) / (code->width + 2 * QUIET_SQUARES);
}

/* All rows except the footer. */
static unsigned rows_of_log(const struct pages *pages)
{
	return pages->screen->rows - 1;
}

/* Codes have about the same size, though the last may be smaller: what fits the first fits all. */
static void count_pages(struct pages *pages)
{
	if (log_memory.shown)
		pages->logs =
		    (log_rows(*log_memory.shown, pages->screen->columns, 0, 0, NULL) + rows_of_log(pages) - 1) /
		    rows_of_log(pages);
	pages->tables = result_table_pages(&pages->table);
	pages->codes = result_codes.count;
	pages->note = result_codes.missing;
	if (pages->codes > 0 && square_pixels(pages->screen, &result_codes.codes[0]) == 0) {
		pages->codes = 0;
		pages->note = "this screen is too coarse";
	}
}

static void log_show(const struct pages *pages, unsigned page)
{
	unsigned rows = rows_of_log(pages), columns = pages->screen->columns;
	unsigned all = log_rows(*log_memory.shown, columns, page * rows, rows, screen_row_show);
	for (unsigned row = all - page * rows; row < rows; row++)
		screen_row_show(row, "");
}

static void table_show(const struct pages *pages, unsigned page)
{
	static char text[SCREEN_COLUMNS_MAXIMUM + RESULT_ROW_MAXIMUM];
	for (unsigned row = 0; row + 1 < pages->table.rows; row++) {
		result_table_row(&pages->table, page, row, text, sizeof(text));
		if (pages->note && row + 2 == pages->table.rows)
			format_text(text, sizeof(text), "No code for a camera: %s.", pages->note);
		screen_row_show(row, text);
	}
}

static void code_draw(const struct screen *screen, const struct result_code *code)
{
	unsigned size = square_pixels(screen, code), whole = size * (code->width + 2 * QUIET_SQUARES);
	unsigned left = (screen->columns * screen->cell_width - whole) / 2, top = screen->cell_height;
	screen->fill(left, top, whole, whole, true);
	for (unsigned y = 0; y < code->width; y++)
		for (unsigned x = 0; x < code->width; x++)
			if (code->squares[y * code->width + x] & 1)
				screen->fill(left + (QUIET_SQUARES + x) * size, top + (QUIET_SQUARES + y) * size, size, size,
				             false);
}

static void code_show(const struct pages *pages, unsigned number)
{
	char title[120];
	format_text(title, sizeof(title), "Part %u of %u of all results: photograph it for tools/results scan",
	            number + 1, pages->codes);
	screen_row_show(0, title);
	for (unsigned row = 1; row + 1 < pages->screen->rows; row++)
		screen_row_show(row, "");
	code_draw(pages->screen, &result_codes.codes[number]);
}

static void page_show(const struct pages *pages, unsigned page, unsigned count)
{
	char footer[120];
	if (page == 0)
		screen_text_show();
	else if (page <= pages->logs)
		log_show(pages, page - 1);
	else if (page <= pages->logs + pages->tables)
		table_show(pages, page - 1 - pages->logs);
	else
		code_show(pages, page - 1 - pages->logs - pages->tables);
	result_page_footer(page, count, footer, sizeof(footer));
	screen_row_show(pages->screen->rows - 1, footer);
}

/* The key that ends the wait, if one does. */
static enum page_key result_screen_wait(unsigned seconds)
{
	uint64_t deadline = arch_clock() + seconds * NANOSECONDS_A_SECOND;
	while (arch_clock() < deadline) {
		enum page_key key = keyboard_read();
		if (key != PAGE_KEY_NONE)
			return key;
		arch_idle(arch_clock() + POLL);
	}
	return PAGE_KEY_NONE;
}

void result_screen_show(void)
{
	struct pages pages = {.screen = screen_device()};
	if (!pages.screen || (result_log.rows == 0 && !log_memory.shown))
		return;
	pages.table = (struct result_table){&result_log, pages.screen->columns, pages.screen->rows};
	count_pages(&pages);
	unsigned count = 1 + pages.logs + pages.tables + pages.codes;
	enum page_key key = PAGE_KEY_NONE;
	keyboard_start();
	for (unsigned page = 0;; page = (page + (key == PAGE_KEY_PREVIOUS ? count - 1 : 1)) % count) {
		page_show(&pages, page, count);
		key = result_screen_wait(key == PAGE_KEY_NONE ? PAGE_SECONDS : PAGE_SECONDS_AFTER_KEY);
	}
}
