/*
 * Suspend and resume: a wait that any resume ends. It uses only the wait's word (wait.h). suspend_lean.c has the entry
 * for code that the compiler's plugin compiles.
 */
#include "sched/suspend.h"

const struct wait_object suspended = {"task_resume()", NULL, NULL};

bool suspend_take_request(struct task *task)
{
	bool resumed = wait_take_request(&task->wait.permit);
	if (!resumed && !wait_take_request(&task->wait.cancelled))
		return false;
	task->wait.outcome = resumed ? HEDDLE_OK : HEDDLE_CANCELLED;
	return true;
}

enum heddle_error task_suspend(void)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	if (suspend_begin(task))
		switch_away_from(scheduler, task, wait_suspend, NULL);
	return task_current()->wait.outcome;
}

enum heddle_error heddle_suspend_outcome(void)
{
	return task_current()->wait.outcome;
}
