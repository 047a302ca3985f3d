/*
 * Text on a screen: a grid of characters, shown by the devices below. The grid is kept here, so that scrolling draws
 * only the cells that change and never reads video memory, which is slow.
 *
 * Like arch_console_write() (arch.h), called by one processor at a time.
 */
#ifndef ARCH_BARE_SCREEN_H
#define ARCH_BARE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/boot_information.h"

/* Of larger screens only a part is used. */
#define SCREEN_COLUMNS_MAXIMUM 512
#define SCREEN_ROWS_MAXIMUM    256

/* A device: how many cells it has and how to show a character in one; if it has pixels, also how to fill a rectangle
 * of them, light or dark. */
struct screen {
	unsigned columns, rows;
	void (*draw)(unsigned column, unsigned row, char character);
	unsigned cell_width, cell_height; /* pixels */
	void (*fill)(unsigned x, unsigned y, unsigned width, unsigned height,
	             bool light); /* NULL: it shows text only */
};

/* Begin to show text on the screen that the boot loader left, which must be mapped; earlier output is shown first.
 * Does nothing if there is no screen, or if it already shows text. */
void screen_start(const struct boot_framebuffer *framebuffer);

/* Show text. '\n' ends a line; a line that is too long goes on in the next row. */
void screen_write(const char *bytes, size_t length);

/* The device that shows text; NULL: none. What is drawn on it by hand stays until text overwrites it. */
const struct screen *screen_device(void);

/* One row, by hand: the text, then blanks. */
void screen_row_show(unsigned row, const char *text);

/* Show the text again, its last lines, in all rows except the last. */
void screen_text_show(void);

/* Blank the whole screen and describe it. (framebuffer.c, vga_text.c) */
struct screen framebuffer_start(const struct boot_framebuffer *framebuffer);
struct screen vga_text_start(const struct boot_framebuffer *framebuffer);

/* A glyph is GLYPH_COLUMNS columns of 8 pixels, the top one in the lowest bit. Characters without a glyph show a
 * question mark. (font.c) */
#define GLYPH_COLUMNS 5
#define GLYPH_ROWS    8
const unsigned char *font_glyph(char character);

#endif
