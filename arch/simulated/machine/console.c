/*
 * Results go to standard output, the log to standard error. Writing takes no virtual time.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/simulated/machine/console.h"
#include "arch/simulated/machine/progress.h"

static bool lost;

void arch_console_write(enum arch_stream stream, const char *bytes, size_t length)
{
	progress_clear();
	while (length > 0) {
		ssize_t written = write(stream == ARCH_STREAM_RESULT ? STDOUT_FILENO : STDERR_FILENO, bytes, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			lost |= stream == ARCH_STREAM_RESULT;
			return;
		}
		bytes += written;
		length -= (size_t)written;
	}
}

bool console_lost(void)
{
	return lost;
}
