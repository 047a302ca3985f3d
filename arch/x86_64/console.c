/*
 * The console devices of the machine: the serial line and the screen. Both show the log and the results.
 */
#include "arch/x86_64/machine.h"
#include "arch/x86_64/screen.h"

void arch_console_write(enum arch_stream stream, const char *bytes, size_t length)
{
	(void)stream;
	serial_write(bytes, length);
	screen_write(bytes, length);
}
