/*
 * Suspend and resume: a wait that any resume ends. It uses only the wait's word (wait.h).
 */
#include "sched/switch.h"
#include "sched/trace.h"
#include "sched/wait.h"

static const struct wait_object resumed = {"task_resume()", NULL, NULL}; /* for the trace */

enum heddle_error task_suspend(void)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	quantum_check_cooperative("task_suspend()");
	if (wait_take_request(&task->wait.permit))
		return HEDDLE_OK;
	if (wait_take_request(&task->wait.cancelled))
		return HEDDLE_CANCELLED;
	trace_wait(&resumed);
	wait_prepare(task);
	switch_away_from(scheduler, task, wait_suspend, NULL);
	return task_current()->wait.outcome;
}

STACK_ENTRY(task_resume)
void task_resume(struct task *task)
{
	wait_resume(task);
}
