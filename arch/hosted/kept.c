/*
 * What tasks keep in a Linux process. The run-time libraries of C and C++ keep some state in the host's thread. Each
 * processor finds out where when it starts, because a task's stack may be too small to ask. The signals that a task
 * blocks are with the task alone (task_signals.c).
 */
#include <errno.h>

#include "arch/hosted/sanitizer.h"
#include "arch/x86_64/kept.h"

const uint8_t arch_kept_at_checks = ARCH_KEEPS_ERROR_ONCE;

/* Where the C++ library keeps its state of exceptions; NULL in a program without it. */
__attribute__((weak)) struct hosted_exceptions *__cxa_get_globals(void);

/* The control words of the thread that starts the machine, which -ffast-math may have changed. */
static _Atomic uint64_t control_at_start;

void hosted_kept_start(struct arch_processor *host)
{
	host->error = &errno;
	host->exceptions = __cxa_get_globals ? __cxa_get_globals() : NULL;
	/* relaxed: each processor inherits the same, and stores it before it runs any task. */
	atomic_store_explicit(&control_at_start, arch_control(), memory_order_relaxed);
}

static uint8_t without(uint8_t keeps, uint8_t what)
{
	return (uint8_t)(keeps & ~what);
}

uint8_t arch_kept_leave(struct arch_kept *kept, uint8_t keeps)
{
	const struct arch_processor *host = processor_current()->arch;
	if (keeps & (ARCH_KEEPS_ERROR | ARCH_KEEPS_ERROR_ONCE))
		kept->error = *host->error;
	if (keeps & ARCH_KEEPS_CONTROL)
		kept->control = kept_control_leave(atomic_load_explicit(&control_at_start, memory_order_relaxed));
	if (keeps & ARCH_KEEPS_STACK)
		sanitizer_leave(host);
	if (keeps & ARCH_KEEPS_SIGNALS && !kept->blocked && !kept->pending)
		keeps = without(keeps, ARCH_KEEPS_SIGNALS);
	if (!(keeps & ARCH_KEEPS_EXCEPTIONS) || !host->exceptions)
		return without(keeps, ARCH_KEEPS_EXCEPTIONS);
	kept->caught = host->exceptions->caught;
	kept->uncaught = host->exceptions->uncaught;
	*host->exceptions = (struct hosted_exceptions){NULL, 0};
	return kept->caught || kept->uncaught ? keeps : without(keeps, ARCH_KEEPS_EXCEPTIONS);
}

uint8_t arch_kept_return(const struct arch_kept *kept, uint8_t keeps)
{
	struct arch_processor *host = processor_current()->arch;
	if (keeps & ARCH_KEEPS_STACK)
		sanitizer_enter(host);
	if (keeps & ARCH_KEEPS_EXCEPTIONS)
		*host->exceptions = (struct hosted_exceptions){kept->caught, kept->uncaught};
	if (keeps & ARCH_KEEPS_CONTROL)
		kept_control_return(kept->control);
	if (keeps & (ARCH_KEEPS_ERROR | ARCH_KEEPS_ERROR_ONCE))
		*host->error = kept->error;
	return without(keeps, ARCH_KEEPS_ERROR_ONCE);
}
