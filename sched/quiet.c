#include "sched/quiet.h"

#include "kernel/console.h"
#include "sched/idle.h"
#include "sched/injection.h"
#include "sched/report.h"
#include "sched/scheduler.h"
#include "sched/timer.h"

/* Low half: how many processors are quiet, and whether the machine is over; high half: how often one has left. */
static _Atomic uint64_t quiet;

#define QUIET_OVER (UINT64_C(1) << 31)
#define QUIET_LEFT (UINT64_C(1) << 32)

_Static_assert(PROCESSORS_MAXIMUM < QUIET_OVER, "the count has room below");

void quiet_start(void)
{
	atomic_store_explicit(&quiet, 0, memory_order_relaxed);
}

static bool machine_stops(void)
{
	/* seq_cst: pairs with scheduler_stop. */
	return atomic_load_explicit(&scheduler_stopping, memory_order_seq_cst);
}

/* In this order: a machine is stopped before its source is closed. */
static bool nothing_can_wake_a_task(void)
{
	return timer_count() == 0 && !injection_is_open() && !machine_stops();
}

/* A place to stop at in GDB: no task has changed since. */
__attribute__((noinline)) static void report_deadlock(void)
{
	if (report_lost() == 0)
		log_error("deadlock: no task is ready, and none is left that could wake another");
	report_tasks(true);
	console_flush();
	arch_shutdown(ARCH_OUTCOME_FAILURE);
}

void quiet_enter(void)
{
	/* seq_cst: the last processor to come sees all that the others did before. */
	uint64_t all = atomic_fetch_add_explicit(&quiet, 1, memory_order_seq_cst) + 1;
	if ((uint32_t)all != processor_count || !idle_all(processor_count))
		return;
	/* No processor has left since, so what was seen one after the other held at one moment. */
	if (machine_stops()) {
		/* all are quiet -> over; pairs with quiet_leave. */
		if (atomic_compare_exchange_strong_explicit(&quiet, &all, all | QUIET_OVER, memory_order_seq_cst,
		                                            memory_order_relaxed))
			scheduler_wake_all();
	} else if (nothing_can_wake_a_task() && atomic_load_explicit(&quiet, memory_order_seq_cst) == all) {
		report_deadlock();
	}
}

void quiet_leave(void)
{
	atomic_fetch_add_explicit(&quiet, QUIET_LEFT - 1, memory_order_seq_cst);
}

bool quiet_is_over(void)
{
	/* relaxed: this processor has left by an operation on the same word before. */
	return atomic_load_explicit(&quiet, memory_order_relaxed) & QUIET_OVER;
}
