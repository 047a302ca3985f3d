/*
 * Text on a screen: a grid of characters that the devices below show. The grid is remembered here, so that
 * scrolling never reads video memory, which is slow to read, and draws only the cells that change.
 *
 * One processor at a time calls these, as arch_console_write() (arch.h).
 */
#ifndef ARCH_BARE_SCREEN_H
#define ARCH_BARE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/boot_information.h"

/* Larger screens are used in part. */
#define SCREEN_COLUMNS_MAXIMUM 512
#define SCREEN_ROWS_MAXIMUM    256

/* A device: how many cells it has, and how to show a character in one of them; and, where it has pixels, how to fill a
 * rectangle of them, light or dark. */
struct screen {
	unsigned columns, rows;
	void (*draw)(unsigned column, unsigned row, char character);
	unsigned cell_width, cell_height; /* pixels */
	void (*fill)(unsigned x, unsigned y, unsigned width, unsigned height,
	             bool light); /* NULL: it shows text only */
};

/* Begin to show text on the screen that the boot loader left, which must be mapped; what was said before comes first.
 * Nothing happens where there is none, and where text is shown already. */
void screen_start(const struct boot_framebuffer *framebuffer);

/* Show text. '\n' ends a line; a line that is too long goes on in the next row. */
void screen_write(const char *bytes, size_t length);

/* The device that shows text; NULL: none. What it is made to draw by hand stays until more text comes there. */
const struct screen *screen_device(void);

/* One row, by hand: the text, then blanks. */
void screen_row_show(unsigned row, const char *text);

/* The text again, its last lines, in all rows but the last one. */
void screen_text_show(void);

/* Blank the whole screen and describe it. (framebuffer.c, vga_text.c) */
struct screen framebuffer_start(const struct boot_framebuffer *framebuffer);
struct screen vga_text_start(const struct boot_framebuffer *framebuffer);

/* A glyph is GLYPH_COLUMNS columns of 8 pixels, the top one in the lowest bit. Characters that have none get
 * a question mark's. (font.c) */
#define GLYPH_COLUMNS 5
#define GLYPH_ROWS    8
const unsigned char *font_glyph(char character);

#endif
