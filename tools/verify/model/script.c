#include "script.h"

#include "kernel.h"
#include "pool.h"

#include "sched/owed.h"
#include "sync/start.h"

static unsigned task_count, alone;

void script_set_up(const struct explore_case *explored)
{
	const struct script *script = explored->script;
	model_task_name();
	model_ready_start(script->processors);
	model_task_ignore();
	sync_start();
	for (task_count = 0; task_count < 3 && script->tasks[task_count]; task_count++) {
		struct task *task;
		if (task_create(&task, script->tasks[task_count], NULL, NULL) != HEDDLE_OK)
			explore_fail("a task could not be made");
		if (script->outside != CANCEL)
			explore_ignore(&task->wait.cancelled, sizeof task->wait.cancelled);
	}
	if (script->prepare)
		script->prepare();
}

void script_program(const struct explore_case *explored, unsigned processor)
{
	const struct script *script = explored->script;
	if (processor < script->processors)
		model_ready_run();
	else if (script->outside == TIME)
		model_time_run();
	else
		task_cancel(model_task(0));
}

const char *script_check(const struct explore_case *explored)
{
	const struct script *script = explored->script;
	unsigned waiters = 0;
	for (unsigned i = 0; i < task_count; i++) {
		waiters += model_task(i)->locks.waiter != NULL;
		if (model_task(i)->locks.abandoned || model_task(i)->held || model_task(i)->locks.written ||
		    model_task(i)->locks.read_count)
			return "a task has ended, and something of it is left";
	}
	const char *wrong = script->check ? script->check() : NULL;
	if (!wrong && model_pool_used() != waiters)
		wrong = "an object of a pool was not given back";
	return wrong;
}

void script_watch(const void *first, const void *end)
{
	explore_watch(first, (size_t)((const char *)end - (const char *)first));
}

void script_expect(const char *what, enum heddle_error error, enum heddle_error expected,
                   enum heddle_error other)
{
	if (error != expected && error != other)
		explore_fail("%s says: %s", what, heddle_error_text(error));
}

enum heddle_error script_outside(enum heddle_error error)
{
	uncooperative_end();
	return error;
}

void script_spend(void)
{
	struct scheduler *scheduler = scheduler_current();
	explore_pause();
	if (scheduler->owed)
		owed_spent(scheduler);
}

void script_alone(void)
{
	if (alone++)
		explore_fail("two tasks are where only one may be");
	explore_pause();
	alone--;
}
