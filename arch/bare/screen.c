#include "arch/bare/screen.h"

#include <string.h>

#include "arch/bare/machine.h"

static struct screen screen; /* without columns: no screen */
static char cells[SCREEN_ROWS_MAXIMUM][SCREEN_COLUMNS_MAXIMUM];
static unsigned cursor_column, cursor_row;

void screen_start(const struct boot_framebuffer *framebuffer)
{
	if (!framebuffer->present || screen.columns > 0)
		return;
	screen = framebuffer->text ? vga_text_start(framebuffer) : framebuffer_start(framebuffer);
	if (screen.columns > SCREEN_COLUMNS_MAXIMUM)
		screen.columns = SCREEN_COLUMNS_MAXIMUM;
	if (screen.rows > SCREEN_ROWS_MAXIMUM)
		screen.rows = SCREEN_ROWS_MAXIMUM;
	memset(cells, ' ', sizeof(cells));
	cursor_column = cursor_row = 0;
	console_show_early_on_screen();
}

static void cell_set(unsigned column, unsigned row, char character)
{
	if (cells[row][column] == character)
		return;
	cells[row][column] = character;
	screen.draw(column, row, character);
}

/* By a quarter of the screen: redrawing for every line would be slow. */
static void scroll(void)
{
	unsigned distance = screen.rows / 4 + 1;
	for (unsigned row = 0; row < screen.rows; row++)
		for (unsigned column = 0; column < screen.columns; column++)
			cell_set(column, row, row + distance < screen.rows ? cells[row + distance][column] : ' ');
	cursor_row -= distance;
}

static void line_end(void)
{
	cursor_column = 0;
	cursor_row++;
	if (cursor_row == screen.rows)
		scroll();
}

void screen_write(const char *bytes, size_t length)
{
	if (screen.columns == 0 || screen.rows == 0)
		return;
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\n') {
			line_end();
			continue;
		}
		if (bytes[i] == '\r' || bytes[i] == '\b') {
			cursor_column = bytes[i] == '\b' && cursor_column > 0 ? cursor_column - 1 : 0;
			continue;
		}
		if (cursor_column == screen.columns)
			line_end();
		cell_set(cursor_column++, cursor_row, bytes[i]);
	}
}

const struct screen *screen_device(void)
{
	return screen.columns > 0 && screen.rows > 0 ? &screen : NULL;
}

void screen_row_show(unsigned row, const char *text)
{
	for (unsigned column = 0; column < screen.columns; column++)
		screen.draw(column, row, *text ? *text++ : ' ');
}

void screen_text_show(void)
{
	unsigned above = cursor_row + 1 < screen.rows ? 0 : 1; /* rows that do not fit */
	for (unsigned row = 0; row + 1 < screen.rows; row++)
		for (unsigned column = 0; column < screen.columns; column++)
			screen.draw(column, row, cells[row + above][column]);
}
