/*
 * Typed bytes, from the serial line or the keyboard. Both are polled, and never interrupt.
 */
#include "arch/arch.h"
#include "arch/bare/keyboard.h"
#include "arch/bare/serial.h"

const bool arch_input_is_open = true;

void arch_input_start(void)
{
	keyboard_start();
}

int arch_input_read(void)
{
	int byte = serial_read();
	if (byte < 0)
		byte = keyboard_read_byte();
	return byte < 0 ? ARCH_INPUT_NONE : byte;
}
