#include "sync/deferral.h"

#include "sched/growth.h"
#include "sched/quantum.h"
#include "sched/wait.h"
#include "sync/exchange.h"

/* Whether the current task comes to a check, or to Heddle, before long. */
static bool is_checked(void)
{
	return !arch_has_foreign_code || (arch_stack_limit() & STACK_GROWS);
}

static bool has_deadline(const struct task *task)
{
	return task->wait_cold.timer && task->wait.phase == WAIT_ARMED;
}

/* A task of higher priority does not wait for the current task. */
static bool may_wait(struct scheduler *scheduler, const struct task *next)
{
	return !scheduler->owed && is_checked() &&
	       next->schedule.priority == scheduler->current->schedule.priority &&
	       exchange_is_possible(scheduler, next);
}

bool deferral_try(struct deferral *deferral, const void *lock, struct task *next)
{
	struct scheduler *scheduler = scheduler_current();
	if (command_line.defer == 0 || deferral->strict) {
		deferral->pause = OWED_PAUSE_MOST;
		return false;
	}
	if (deferral->row >= command_line.chain || quantum_is_spent(scheduler) || has_deadline(next) ||
	    !may_wait(scheduler, next)) {
		deferral->row = 0;
		return false;
	}
	deferral->row++;
	deferral->deferred++;
	/* Counts as in vain until the lock is taken back. */
	deferral->pause = deferral->next_pause = owed_pause_longer(deferral->next_pause);
	owed_keep(scheduler, next, lock, command_line.defer);
	return true;
}

struct task *deferral_take_back(struct deferral *deferral)
{
	deferral->pause = deferral->next_pause = 0;
	deferral->retaken++;
	return owed_take_back(scheduler_current());
}

bool deferral_of_wake(struct task *woken)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	if (command_line.defer == 0 || owed_pause(&task->wait.wake_pause))
		return false;
	if (!(switch_may_exchange(scheduler, task, woken) && is_checked()) && !may_wait(scheduler, woken))
		return false;
	/* Counts as in vain until the task leaves. */
	task->wait.wake_pause = task->wait.wake_pause_next = owed_pause_longer(task->wait.wake_pause_next);
	owed_keep(scheduler, woken, NULL, DEFERRAL_WAKE * command_line.defer);
	return true;
}
