/*
 * Suspend and resume; the handshake is in task.h.
 */
#include "sched/ready.h"
#include "sched/switch.h"
#include "sched/wait.h"

static uint64_t suspended_with(uint64_t ticket)
{
	return ticket << 2 | TASK_PERMIT_SUSPENDED;
}

static void finalize_suspend(struct task *left, void *unused)
{
	(void)unused;
	uint64_t expected = TASK_PERMIT_NONE, ticket = wait_ticket(left);
	atomic_store_explicit(&left->state, TASK_SUSPENDED, memory_order_relaxed);
	/* NONE -> SUSPENDED; release: the task has left its stack, pairs with the CAS in task_resume. */
	if (atomic_compare_exchange_strong_explicit(&left->permit, &expected, suspended_with(ticket),
	                                            memory_order_acq_rel, memory_order_acquire)) {
		wait_arm(left, ticket);
		return;
	}
	/* PERMIT -> NONE: the resume came first; acquire: what was done before it, and before others that came
	 * since. */
	atomic_exchange_explicit(&left->permit, TASK_PERMIT_NONE, memory_order_acquire);
	wait_grant(left, ticket, HEDDLE_OK);
	ready_publish(left);
}

static enum heddle_error suspend_wait(struct task *task)
{
	static const struct wait_object resume = {"task_resume()", NULL, NULL};
	enum heddle_error error = wait_begin(&resume, HEDDLE_NO_DEADLINE);
	if (error != HEDDLE_OK)
		return error;
	uint64_t suspended = suspended_with(wait_ticket(task));
	switch_away(finalize_suspend, NULL);
	error = wait_finish();
	if (error != HEDDLE_OK)
		/* SUSPENDED -> NONE; else a resume that has changed it finds the wait ended, and leaves a permit. */
		atomic_compare_exchange_strong_explicit(&task->permit, &suspended, TASK_PERMIT_NONE,
		                                        memory_order_acquire, memory_order_relaxed);
	return error;
}

STACK_ENTRY(task_suspend)
enum heddle_error task_suspend(void)
{
	uint64_t expected = TASK_PERMIT;
	struct task *task = scheduler_current()->current;
	quantum_check_cooperative("task_suspend()");
	/* PERMIT -> NONE, if that may be; acquire: what the resumer did before, pairs with the CAS in task_resume. */
	if (atomic_load_explicit(&task->permit, memory_order_relaxed) == TASK_PERMIT &&
	    atomic_compare_exchange_strong_explicit(&task->permit, &expected, TASK_PERMIT_NONE,
	                                            memory_order_acquire, memory_order_relaxed))
		return HEDDLE_OK;
	return suspend_wait(task);
}

/* Returns what the permit was. */
static uint64_t permit_give(struct task *task)
{
	uint64_t permit = atomic_load_explicit(&task->permit, memory_order_relaxed);
	uint64_t replacement;
	do {
		replacement = permit > TASK_PERMIT ? TASK_PERMIT_NONE : TASK_PERMIT;
		/* NONE, PERMIT -> PERMIT; SUSPENDED -> NONE; release: what we did before, for the resumed; acquire:
		 * it has left its stack, from finalize_suspend. */
	} while (!atomic_compare_exchange_weak_explicit(&task->permit, &permit, replacement, memory_order_acq_rel,
	                                                memory_order_relaxed));
	return permit;
}

STACK_ENTRY(task_resume)
void task_resume(struct task *task)
{
	uint64_t permit;
	while ((permit = permit_give(task)) > TASK_PERMIT) {
		if (wait_grant(task, permit >> 2, HEDDLE_OK)) {
			ready_publish(task);
			return;
		}
	}
}
