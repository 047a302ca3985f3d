#include "sched/deadlock.h"

#include "kernel/console.h"
#include "sched/idle.h"
#include "sched/injection.h"
#include "sched/report.h"
#include "sched/scheduler.h"
#include "sched/timer.h"

/* Low half: how many are quiet; high half: how often one has left. */
static _Atomic uint64_t quiet;

#define QUIET_LEFT (UINT64_C(1) << 32)

void deadlock_start(void)
{
	atomic_store_explicit(&quiet, 0, memory_order_relaxed);
}

static bool nobody_can_wake_anybody(void)
{
	return idle_all(processor_count) && timer_count() == 0 && !injection_is_open() &&
	       !atomic_load_explicit(&scheduler_stopping, memory_order_seq_cst);
}

void deadlock_enter_quiet(void)
{
	/* seq_cst: the last to come sees all that the others did before they came. */
	uint64_t all = atomic_fetch_add_explicit(&quiet, 1, memory_order_seq_cst) + 1;
	if ((uint32_t)all != processor_count || !nobody_can_wake_anybody())
		return;
	/* Nobody has left since: what was seen one after the other was so at one moment. */
	if (atomic_load_explicit(&quiet, memory_order_seq_cst) != all)
		return;
	log_error("deadlock: no task is ready, and none is left that could wake another");
	report_tasks(true);
	console_flush();
	arch_shutdown(ARCH_OUTCOME_FAILURE);
}

void deadlock_leave_quiet(void)
{
	atomic_fetch_add_explicit(&quiet, QUIET_LEFT - 1, memory_order_seq_cst);
}
