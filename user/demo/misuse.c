/*
 * Misuses a lock that spins, yields, then suspends, to show what is reported. In a debug build the first three are a
 * panic, in others an error that is only logged.
 */
#include "heddle/mcs_lock.h"
#include "heddle/program.h"
#include "heddle/system.h"

enum misuse { RELOCK, UNLOCK, DESTROY, END, CIRCLE };

static struct mcs_lock lock, other;

static intptr_t lock_twice(void *unused)
{
	(void)unused;
	mcs_lock_lock(&lock);
	return mcs_lock_lock(&lock);
}

static intptr_t unlock_anyway(void *unused)
{
	(void)unused;
	return mcs_lock_unlock(&lock);
}

static intptr_t destroy_held(void *unused)
{
	(void)unused;
	mcs_lock_lock(&lock);
	return mcs_lock_destroy(&lock);
}

static intptr_t lock_and_end(void *unused)
{
	(void)unused;
	return mcs_lock_lock(&lock);
}

static intptr_t lock_other_first(void *unused)
{
	(void)unused;
	mcs_lock_lock(&other);
	task_yield();
	mcs_lock_lock(&lock);
	return mcs_lock_unlock(&lock) || mcs_lock_unlock(&other);
}

/* A deadlock: each task holds one lock and waits for the other's. */
static void wait_in_circle(struct task *contrary)
{
	while (mcs_lock_try_lock(&other) == HEDDLE_OK) {
		mcs_lock_unlock(&other);
		task_yield();
	}
	mcs_lock_lock(&other);
	mcs_lock_unlock(&other);
	mcs_lock_unlock(&lock);
	task_join(contrary, NULL);
}

static bool run(struct program_run *run)
{
	static const task_function functions[] = {lock_twice, unlock_anyway, destroy_held, lock_and_end,
	                                          lock_other_first};
	uint64_t how = program_value(run, "how");
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	intptr_t error = HEDDLE_OK;
	options.name = "contrary";
	if (how == UNLOCK || how == CIRCLE)
		mcs_lock_lock(&lock);
	if (task_create(&task, functions[how], NULL, &options) != HEDDLE_OK)
		return program_failed(run, "no memory for a task");
	if (how == CIRCLE)
		wait_in_circle(task);
	else
		task_join(task, &error);
	heddle_log("the task was told: %s", heddle_error_text((enum heddle_error)error));
	return true;
}

static const struct program_parameter parameters[] = {
    {"how",
     .help = "lock an MCS lock twice, unlock another's, destroy a held one, end with it held, or wait in a "
             "circle",
     .choices = "relock|unlock|destroy|end|circle"},
    {0}};

HEDDLE_PROGRAM(misuse, "misuses a lock on purpose, to show what is reported", parameters, run);
