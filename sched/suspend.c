/*
 * Suspend and resume: a wait that any resume ends, with nothing of a wait but its word (wait.h).
 */
#include "sched/switch.h"
#include "sched/trace.h"
#include "sched/wait.h"

static void finalize_task_suspend(struct task *left, void *unused)
{
	(void)unused;
	atomic_store_explicit(&left->state, TASK_SUSPENDED, memory_order_relaxed);
	wait_suspend(left);
}

static const struct wait_object resumed = {"task_resume()", NULL, NULL}; /* for the trace */

STACK_ENTRY(task_suspend)
enum heddle_error task_suspend(void)
{
	struct task *task = task_current();
	quantum_check_cooperative("task_suspend()");
	if (wait_take_request(&task->permit))
		return HEDDLE_OK;
	if (wait_take_request(&task->cancelled))
		return HEDDLE_CANCELLED;
	trace_wait(&resumed);
	wait_prepare(task);
	switch_away(finalize_task_suspend, NULL);
	return task_current()->wait_outcome;
}

STACK_ENTRY(task_resume)
void task_resume(struct task *task)
{
	wait_resume(task);
}
