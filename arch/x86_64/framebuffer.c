/*
 * Characters as pixels, on a linear framebuffer of 15 to 32 bits a pixel.
 */
#include "arch/x86_64/screen.h"

#define CELL_WIDTH  8
#define CELL_HEIGHT 16 /* each row of a glyph twice */
#define MARGIN      1  /* pixels left of the glyph in its cell */

static volatile uint8_t *pixels;
static uint32_t pitch;
static unsigned pixel_bytes;
static uint32_t foreground;

/* As much of one colour as its field of the pixel can hold. */
static uint32_t full(uint8_t position, uint8_t size)
{
	return (uint32_t)((((uint64_t)1 << size) - 1) << position);
}

static void pixel_set(volatile uint8_t *pixel, uint32_t colour)
{
	for (unsigned i = 0; i < pixel_bytes; i++)
		pixel[i] = (uint8_t)(colour >> (8 * i));
}

static void cell_draw(unsigned column, unsigned row, char character)
{
	const unsigned char *glyph = font_glyph(character);
	for (unsigned y = 0; y < CELL_HEIGHT; y++) {
		volatile uint8_t *line = pixels + (size_t)(row * CELL_HEIGHT + y) * pitch;
		unsigned glyph_row = y * GLYPH_ROWS / CELL_HEIGHT;
		for (unsigned x = 0; x < CELL_WIDTH; x++) {
			unsigned glyph_column = x - MARGIN;
			bool set = glyph_column < GLYPH_COLUMNS && glyph[glyph_column] >> glyph_row & 1;
			pixel_set(line + (size_t)(column * CELL_WIDTH + x) * pixel_bytes, set ? foreground : 0);
		}
	}
}

struct screen framebuffer_start(const struct boot_framebuffer *framebuffer)
{
	pixels = (volatile uint8_t *)(uintptr_t)framebuffer->address;
	pitch = framebuffer->pitch;
	pixel_bytes = (framebuffer->depth + 7u) / 8;
	foreground = full(framebuffer->red_position, framebuffer->red_size) |
	             full(framebuffer->green_position, framebuffer->green_size) |
	             full(framebuffer->blue_position, framebuffer->blue_size);
	for (uint32_t y = 0; y < framebuffer->height; y++)
		for (uint32_t i = 0; i < framebuffer->width * pixel_bytes; i++)
			pixels[(size_t)y * pitch + i] = 0;
	return (struct screen){framebuffer->width / CELL_WIDTH, framebuffer->height / CELL_HEIGHT, cell_draw};
}
