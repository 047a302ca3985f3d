#include "sched/deadlock.h"

#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/panic.h"
#include "sched/idle.h"
#include "sched/injection.h"
#include "sched/scheduler.h"
#include "sched/timer.h"

/* Low half: how many are quiet; high half: how often one has left. */
static _Atomic uint64_t quiet;

#define QUIET_LEFT (UINT64_C(1) << 32)

void deadlock_start(void)
{
	atomic_store_explicit(&quiet, 0, memory_order_relaxed);
}

static void describe_state(const struct task *task, char *text, size_t size)
{
	switch (atomic_load_explicit(&task->state, memory_order_relaxed)) {
	case TASK_SUSPENDED:
		format_text(text, size, "suspended, waits for task_resume()");
		break;
	case TASK_SLEEPING:
		format_text(text, size, "sleeps until %lu ns", (unsigned long)task->deadline);
		break;
	case TASK_JOINING:
		format_text(text, size, "waits for the end of task %s (%u)", task->waits_for->name,
		            task->waits_for->pooled.number);
		break;
	case TASK_ENDED:
		format_text(text, size, "ended, waits to be joined");
		break;
	default:
		format_text(text, size, "ready or running");
	}
}

/* Of a task that waits, so that nobody runs it. */
static void report_place(const struct task *task)
{
	const struct arch_place place = {.frame_pointer = arch_context_frame(&task->context)};
	uintptr_t low = (uintptr_t)task->context.stack_low;
	panic_back_trace(&place, low, low + task->context.stack_size, log_error);
}

static void report_task(struct task *task, void *count)
{
	char text[96];
	uint32_t state = atomic_load_explicit(&task->state, memory_order_relaxed);
	if (!task->stack && state == TASK_ACTIVE)
		return; /* a processor's idle task */
	describe_state(task, text, sizeof(text));
	log_error("task %s (%u): %s", task->name, task->pooled.number, text);
	if (log_level >= LOG_DEBUG && (state == TASK_SUSPENDED || state == TASK_JOINING))
		report_place(task);
	console_flush();
	++*(unsigned *)count;
}

static void report_tasks(void)
{
	unsigned count = 0;
	task_visit(report_task, &count);
	log_error("%u tasks in all", count);
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
	report_tasks();
	console_flush();
	arch_shutdown(ARCH_OUTCOME_FAILURE);
}

void deadlock_leave_quiet(void)
{
	atomic_fetch_add_explicit(&quiet, QUIET_LEFT - 1, memory_order_seq_cst);
}
