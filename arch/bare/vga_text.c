/*
 * The BIOS's text mode: each cell is a character and an attribute.
 */
#include "arch/bare/screen.h"

#define ATTRIBUTE 0x07 /* light grey on black */

static volatile uint8_t *memory;
static uint32_t pitch;

static void vga_text_cell_draw(unsigned column, unsigned row, char character)
{
	volatile uint16_t *cell = (volatile uint16_t *)(memory + (size_t)row * pitch) + column;
	*cell = (uint16_t)(ATTRIBUTE << 8 | (uint8_t)character);
}

struct screen vga_text_start(const struct boot_framebuffer *framebuffer)
{
	memory = (volatile uint8_t *)(uintptr_t)framebuffer->address;
	pitch = framebuffer->pitch;
	for (unsigned row = 0; row < framebuffer->height; row++)
		for (unsigned column = 0; column < framebuffer->width; column++)
			vga_text_cell_draw(column, row, ' ');
	return (struct screen){
	    .columns = framebuffer->width, .rows = framebuffer->height, .draw = vga_text_cell_draw};
}
