#include "kernel/failure.h"

#include <stdatomic.h>
#include <stddef.h>

#include "kernel/console.h"

static _Atomic uint64_t first; /* 0: none */
static atomic_bool goes_on;
static _Atomic uint64_t allocations;
static _Atomic(const char *) last;

void failure_inject(uint64_t number, bool on)
{
	atomic_store_explicit(&first, number, memory_order_relaxed);
	atomic_store_explicit(&goes_on, on, memory_order_relaxed);
	atomic_store_explicit(&allocations, 0, memory_order_relaxed);
	atomic_store_explicit(&last, NULL, memory_order_relaxed);
}

void failure_start(void)
{
	failure_inject(command_line.fail, command_line.fail_on);
}

bool failure_comes(const char *what)
{
	uint64_t number = atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed) + 1;
	uint64_t from = atomic_load_explicit(&first, memory_order_relaxed);
	if (from == 0 || number < from ||
	    (number > from && !atomic_load_explicit(&goes_on, memory_order_relaxed)))
		return false;
	if (number == from)
		log_info("allocation %lu fails, as asked for: %s", (unsigned long)number, what);
	atomic_store_explicit(&last, what, memory_order_relaxed);
	return true;
}

uint64_t failure_allocations(void)
{
	return atomic_load_explicit(&allocations, memory_order_relaxed);
}

const char *failure_last(void)
{
	return atomic_load_explicit(&last, memory_order_relaxed);
}
