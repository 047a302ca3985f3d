/*
 * Typed bytes come from standard input.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/system_call.h"

const bool arch_input_is_open = false; /* SIGQUIT asks for a report (main.c) */

void arch_input_start(void)
{
	hosted_terminal_start();
}

int arch_input_read(void)
{
	struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
	unsigned char byte;
	if (system_call(SYS_poll, (uintptr_t)&ready, 1, 0) <= 0)
		return ARCH_INPUT_NONE;
	long count = system_call(SYS_read, STDIN_FILENO, (uintptr_t)&byte, 1);
	if (count == 1)
		return byte;
	return count == -EAGAIN || count == -EINTR ? ARCH_INPUT_NONE : ARCH_INPUT_END;
}
