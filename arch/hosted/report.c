/*
 * What all tasks do and wait for, on demand: heddle_report(), and SIGQUIT to the hosted program. A processor reports
 * between two tasks, and everything goes on. If no processor gets there in time, each says where it is.
 *
 *     a request: NONE --heddle_report--> ASKED --a processor accepts it--> NONE
 *                ASKED --PATIENCE has passed--> ASKED: the report comes later
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "arch/hosted/system_call.h"
#include "heddle/host.h"
#include "sched/injection.h"
#include "sched/report.h"

#define PATIENCE 1 /* second */

enum { NONE, ASKED };

static _Atomic uint32_t request; /* a futex */

static void report_here(void *unused)
{
	(void)unused;
	report_all();
}

/* Called by a thread that is no processor, so it cannot log. */
static void report_late(void)
{
	dprintf(STDERR_FILENO, "heddle: no processor has switched tasks for %u s; where they are:\n", PATIENCE);
	for (unsigned index = 0; index < processor_count; index++)
		arch_processor_examine(&processors[index]);
}

static void report_on_accepted(struct injection *injection, enum heddle_error error)
{
	(void)injection;
	(void)error;
	report_all();
	/* ASKED -> NONE; release: the next request may use the injection. */
	atomic_store_explicit(&request, NONE, memory_order_release);
	system_call(SYS_futex, (uintptr_t)&request, FUTEX_WAKE_PRIVATE, 1);
}

enum heddle_error hosted_report(void)
{
	static struct injection injection;
	static const struct timespec patience = {.tv_sec = PATIENCE};
	uint32_t none = NONE;
	/* NONE -> ASKED; acquire: the injection is unused. */
	if (!atomic_compare_exchange_strong_explicit(&request, &none, ASKED, memory_order_acquire,
	                                             memory_order_relaxed))
		return HEDDLE_BUSY;
	injection = (struct injection){.accepted = report_on_accepted};
	injection_submit(&injection);
	long error = 0;
	while (atomic_load_explicit(&request, memory_order_relaxed) == ASKED && error != -ETIMEDOUT)
		error = system_call(SYS_futex, (uintptr_t)&request, FUTEX_WAIT_PRIVATE, ASKED, (uintptr_t)&patience);
	if (error != -ETIMEDOUT)
		return HEDDLE_OK;
	report_late();
	return HEDDLE_TIMED_OUT;
}

void hosted_report_start(void)
{
	atomic_store_explicit(&request, NONE, memory_order_relaxed);
}

/* Called by a thread of the program. */
__attribute__((noinline)) static enum heddle_error report_by_thread(void)
{
	if (!hosted_enter())
		return HEDDLE_STOPPED;
	enum heddle_error error = hosted_report();
	hosted_leave();
	return error;
}

enum heddle_error heddle_report(void)
{
	if (!hosted_is_processor())
		return report_by_thread();
	arch_call_on_processor_stack(report_here, NULL);
	return HEDDLE_OK;
}
