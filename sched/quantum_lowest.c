/*
 * The lowest priority that runs, as a hint (quantum.h). It falls at once where a processor goes on with a lower task,
 * and rises again when none has for a while: else one task of a low priority would slow down all that is made ready
 * after it.
 *
 *     a processor:  stores what it runs;                   no reordering by the compiler;     looks at the hint
 *     the one that raises it: raises the hint;             arch_remote_barrier();             looks at what all run
 *
 * One of the two sees the other, as in sync/mutex_plain.h. The processor that sees it lowers the hint again.
 */
#include "sched/plain.h"

#define KEPT UINT64_C(10000000) /* nanoseconds between two looks */

_Atomic uint32_t quantum_lowest = HEDDLE_PRIORITIES;
static _Atomic uint64_t next_look;

void quantum_start(void)
{
	atomic_store_explicit(&quantum_lowest, HEDDLE_PRIORITIES, memory_order_relaxed);
	atomic_store_explicit(&next_look, 0, memory_order_relaxed);
}

/* Each processor looks again in plain_allow(). */
static void forbid_all(void)
{
	for (unsigned index = 0; index < processor_count; index++)
		plain_forbid(processors[index].scheduler);
}

void quantum_lower(unsigned level)
{
	uint32_t lowest = atomic_load_explicit(&quantum_lowest, memory_order_relaxed);
	while (level < lowest && !atomic_compare_exchange_weak_explicit(
	                             &quantum_lowest, &lowest, level, memory_order_relaxed, memory_order_relaxed))
		continue;
	forbid_all();
}

static unsigned lowest_running(void)
{
	unsigned lowest = RUNNING_NOTHING;
	for (unsigned index = 0; index < processor_count; index++) {
		unsigned level = atomic_load_explicit(&processors[index].scheduler->running, memory_order_relaxed);
		if (level < lowest)
			lowest = level;
	}
	return lowest;
}

void quantum_raise(void)
{
	uint32_t before = atomic_load_explicit(&quantum_lowest, memory_order_relaxed);
	uint64_t now = arch_clock();
	if (now < atomic_load_explicit(&next_look, memory_order_relaxed))
		return;
	atomic_store_explicit(&next_look, now + KEPT, memory_order_relaxed);
	unsigned lowest = lowest_running();
	if (lowest <= before || !atomic_compare_exchange_strong_explicit(
	                            &quantum_lowest, &before, lowest, memory_order_relaxed, memory_order_relaxed))
		return;
	arch_remote_barrier();
	unsigned again = lowest_running();
	if (again < lowest)
		quantum_lower(again);
	else
		forbid_all();
}
