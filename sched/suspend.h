/*
 * How a suspension begins: what the two entries of task_suspend() share.
 */
#ifndef SCHED_SUSPEND_H
#define SCHED_SUSPEND_H

#include "sched/switch.h"
#include "sched/wait.h"

extern const struct wait_object suspended; /* for the trace */

/* Take a request to end the suspension of the calling task before it begins, and set its outcome; false: there is none.
 */
bool suspend_take_request(struct task *task);

/* Whether the calling task has to wait for task_resume(); then its caller switches, with the finalizer wait_suspend().
 * If not, it has been resumed or cancelled already. Either way the outcome is in `wait.outcome` when the task goes
 * on. */
SWITCH_INLINE bool suspend_begin(struct task *task)
{
	quantum_check_cooperative("task_suspend()");
	if (wait_may_be_requested(task) && suspend_take_request(task))
		return false;
	trace_wait(&suspended);
	return true;
}

/* What task_suspend() returns, for code that has called its lean entry: the compiler's plugin inserts such calls. */
enum heddle_error heddle_suspend_outcome(void);

#endif
