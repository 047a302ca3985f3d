/*
 * Characters as pixels, on a linear framebuffer of 15 to 32 bits a pixel.
 */
#include "arch/bare/screen.h"

#define CELL_WIDTH  8
#define CELL_HEIGHT 16 /* each row of a glyph twice */
#define MARGIN      1  /* pixels left of the glyph in its cell */
#define LARGE_WIDTH \
	3840 /* from here on everything is drawn twice as large: such screens are finer, not larger */

static volatile uint8_t *pixels;
static uint32_t pitch;
static unsigned pixel_bytes;
static unsigned scale;
static uint32_t foreground;

/* A colour at full intensity in its field of the pixel. */
static uint32_t full(uint8_t position, uint8_t size)
{
	return (uint32_t)((((uint64_t)1 << size) - 1) << position);
}

/* One access for each pixel that is a word: video memory is slow. */
static void pixel_set(volatile uint8_t *pixel, uint32_t colour)
{
	if (pixel_bytes == sizeof(uint32_t))
		*(volatile uint32_t *)pixel = colour;
	else if (pixel_bytes == sizeof(uint16_t))
		*(volatile uint16_t *)pixel = (uint16_t)colour;
	else
		for (unsigned i = 0; i < pixel_bytes; i++)
			pixel[i] = (uint8_t)(colour >> (8 * i));
}

static void framebuffer_cell_draw(unsigned column, unsigned row, char character)
{
	const unsigned char *glyph = font_glyph(character);
	unsigned width = CELL_WIDTH * scale, height = CELL_HEIGHT * scale;
	for (unsigned y = 0; y < height; y++) {
		volatile uint8_t *pixel =
		    pixels + (size_t)(row * height + y) * pitch + (size_t)(column * width) * pixel_bytes;
		unsigned glyph_row = y * GLYPH_ROWS / height;
		for (unsigned x = 0; x < width; x++, pixel += pixel_bytes) {
			unsigned glyph_column = x / scale - MARGIN;
			bool set = glyph_column < GLYPH_COLUMNS && glyph[glyph_column] >> glyph_row & 1;
			pixel_set(pixel, set ? foreground : 0);
		}
	}
}

static void area_fill(unsigned x, unsigned y, unsigned width, unsigned height, bool light)
{
	for (unsigned row = y; row < y + height; row++) {
		volatile uint8_t *pixel = pixels + (size_t)row * pitch + (size_t)x * pixel_bytes;
		for (unsigned i = 0; i < width; i++, pixel += pixel_bytes)
			pixel_set(pixel, light ? foreground : 0);
	}
}

/* Clear whole words, and single bytes at either end. */
static void framebuffer_clear(volatile uint8_t *from, size_t bytes)
{
	volatile uint8_t *end = from + bytes;
	while (from < end && (uintptr_t)from % sizeof(uint64_t) != 0)
		*from++ = 0;
	for (; (size_t)(end - from) >= sizeof(uint64_t); from += sizeof(uint64_t))
		*(volatile uint64_t *)from = 0;
	while (from < end)
		*from++ = 0;
}

struct screen framebuffer_start(const struct boot_framebuffer *framebuffer)
{
	pixels = (volatile uint8_t *)(uintptr_t)framebuffer->address;
	pitch = framebuffer->pitch;
	pixel_bytes = (framebuffer->depth + 7u) / 8;
	foreground = full(framebuffer->red_position, framebuffer->red_size) |
	             full(framebuffer->green_position, framebuffer->green_size) |
	             full(framebuffer->blue_position, framebuffer->blue_size);
	scale = framebuffer->width >= LARGE_WIDTH ? 2 : 1;
	for (uint32_t y = 0; y < framebuffer->height; y++)
		framebuffer_clear(pixels + (size_t)y * pitch, (size_t)framebuffer->width * pixel_bytes);
	struct screen screen = {.cell_width = CELL_WIDTH * scale, .cell_height = CELL_HEIGHT * scale};
	screen.columns = framebuffer->width / screen.cell_width;
	screen.rows = framebuffer->height / screen.cell_height;
	screen.draw = framebuffer_cell_draw;
	screen.fill = area_fill;
	return screen;
}
