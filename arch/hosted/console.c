/*
 * Results go to standard output, the log to standard error.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/system_call.h"

/* Results could not be written. */
static atomic_bool lost;

#define PATIENCE_MILLISECONDS 10000 /* for a reader that has stopped reading */

static bool is_ready_again(int descriptor)
{
	struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
	return system_call(SYS_poll, (uintptr_t)&ready, 1, PATIENCE_MILLISECONDS) != 0;
}

void arch_console_write(enum arch_stream stream, const char *bytes, size_t length)
{
	int descriptor = stream == ARCH_STREAM_LOG ? STDERR_FILENO : STDOUT_FILENO;
	while (length > 0) {
		long written = system_call(SYS_write, (uintptr_t)descriptor, (uintptr_t)bytes, length);
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
			continue;
		}
		if (written == 0 || (written != -EAGAIN && written != -EINTR) || !is_ready_again(descriptor)) {
			/* Relaxed: read by the thread that ends the process, after the console's flush. */
			if (stream == ARCH_STREAM_RESULT)
				atomic_store_explicit(&lost, true, memory_order_relaxed);
			return;
		}
	}
}

bool hosted_console_lost(void)
{
	return atomic_load_explicit(&lost, memory_order_relaxed);
}
