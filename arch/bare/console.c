/*
 * The machine's console devices: the serial line and the screen. Both show the log and the results.
 *
 * When the first lines come, it is not yet known which serial line it is and where the screen is. They are kept, and
 * shown on each device once it is ready.
 */
#include <string.h>

#include "arch/bare/machine.h"
#include "arch/bare/screen.h"
#include "arch/bare/serial.h"
#include "kernel/log_memory.h"

#define EARLY_MAXIMUM 16384

static char early[EARLY_MAXIMUM];
static size_t early_length;
static bool early_has_ended;

/* Text that does not fit appears only on devices that are already in use. */
static void early_keep(const char *bytes, size_t length)
{
	if (early_has_ended)
		return;
	if (length > EARLY_MAXIMUM - early_length)
		length = EARLY_MAXIMUM - early_length;
	memcpy(early + early_length, bytes, length);
	early_length += length;
}

void console_show_early_on_serial(void)
{
	serial_write(early, early_length);
}

void console_show_early_on_screen(void)
{
	screen_write(early, early_length);
}

void console_keep_early(void)
{
	for (size_t start = 0, at = 0; at < early_length; at++) {
		if (early[at] != '\n')
			continue;
		log_write(&log_memory.ring, early + start, at - start);
		start = at + 1;
	}
}

void console_early_end(void)
{
	early_has_ended = true;
}

void arch_console_write(enum arch_stream stream, const char *bytes, size_t length)
{
	(void)stream;
	early_keep(bytes, length);
	serial_write(bytes, length);
	screen_write(bytes, length);
}
