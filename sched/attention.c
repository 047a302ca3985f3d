#include "sched/attention.h"

#include <stdatomic.h>

#include "arch/arch.h"
#include "kernel/input.h"
#include "sched/report.h"

#define PERIOD 1000000000 /* nanoseconds */

static _Atomic uint64_t due;

void attention_start(void)
{
	atomic_store_explicit(&due, arch_input_is_open ? arch_clock() + PERIOD : UINT64_MAX,
	                      memory_order_relaxed);
}

uint64_t attention_next(void)
{
	return atomic_load_explicit(&due, memory_order_relaxed);
}

static void attention_poll(void *unused)
{
	(void)unused;
	if (input_poll())
		report_all();
}

void attention_look(uint64_t now)
{
	uint64_t expected = attention_next();
	/* A time -> the next one; the processor that changes it looks. Relaxed: it orders nothing. */
	if (now >= expected && atomic_compare_exchange_strong_explicit(
	                           &due, &expected, now + PERIOD, memory_order_relaxed, memory_order_relaxed))
		attention_poll(NULL);
}

void attention_look_now(void)
{
	arch_call_on_processor_stack(attention_poll, NULL);
}
