/* The waits of sched/ itself: suspend, join and sleep; resumed, cancelled, or both. */
#include "script.h"

#include "sched/wait.h"

static bool said;

/* ---- suspend ---- */

static intptr_t suspend(void *unused)
{
	(void)unused;
	while (!said)
		script_expect("task_suspend()", task_suspend(), HEDDLE_OK, HEDDLE_OK);
	return 0;
}

/* Whatever ends one of its waits, the other ends the next. */
static intptr_t suspend_twice(void *unused)
{
	(void)unused;
	enum heddle_error first = task_suspend(), second = task_suspend();
	if (first + second != HEDDLE_CANCELLED)
		explore_fail("task_suspend() says %d, and then %d", first, second);
	return 0;
}

static intptr_t resume(void *unused)
{
	(void)unused;
	said = true;
	task_resume(model_task(0));
	return 0;
}

/* ---- join ---- */

static intptr_t return_seven(void *unused)
{
	(void)unused;
	explore_pause();
	return 7;
}

static enum heddle_error join_second(enum heddle_error other)
{
	intptr_t result = 0;
	enum heddle_error error = task_join(model_task(1), &result);
	script_expect("task_join()", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK && result != 7)
		explore_fail("task_join() gives %ld", (long)result);
	return error;
}

static intptr_t join(void *unused)
{
	(void)unused;
	join_second(HEDDLE_OK);
	return 0;
}

/* After a cancellation it can be joined again. */
static intptr_t join_cancelled(void *unused)
{
	(void)unused;
	if (join_second(HEDDLE_CANCELLED) != HEDDLE_OK && join_second(HEDDLE_CANCELLED) != HEDDLE_OK)
		explore_fail("it was cancelled once, and twice it came");
	return 0;
}

/* Two tasks try; one succeeds. */
static unsigned joined;

static intptr_t join_first(void *unused)
{
	(void)unused;
	enum heddle_error error = join_second(HEDDLE_JOINED);
	if (error == HEDDLE_OK)
		joined++;
	return 0;
}

static const char *check_joined(void)
{
	return joined == 1 ? NULL : "it was not joined once";
}

/* A joiner that gives up may end before the other does. */
static intptr_t join_or_end(void *unused)
{
	(void)unused;
	if (join_second(HEDDLE_CANCELLED) == HEDDLE_CANCELLED)
		script_expect("task_detach()", task_detach(model_task(1)), HEDDLE_OK, HEDDLE_OK);
	return 0;
}

static intptr_t suspend_until_resumed_or_cancelled(void *unused)
{
	(void)unused;
	enum heddle_error error = task_suspend();
	script_expect("task_suspend()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	return 0;
}

/* ---- sleep ---- */

static intptr_t sleep_until(void *unused)
{
	(void)unused;
	script_expect("task_sleep_until()", task_sleep_until(SOON), HEDDLE_OK, HEDDLE_OK);
	return 0;
}

static intptr_t sleep_cancelled(void *unused)
{
	(void)unused;
	script_expect("task_sleep_until()", task_sleep_until(SOON), HEDDLE_CANCELLED, HEDDLE_CANCELLED);
	return 0;
}

static intptr_t sleep_cancelled_by_second(void *unused)
{
	(void)unused;
	script_expect("task_sleep_until()", task_sleep_until(SOON), HEDDLE_OK, HEDDLE_CANCELLED);
	return 0;
}

static intptr_t cancel(void *unused)
{
	(void)unused;
	task_cancel(model_task(0));
	return 0;
}

#define CASE(title, limit, longer, count, world, last, ...) \
	SCRIPT_CASE("wait", title, limit, longer, count, world, NULL, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("suspend", 0, false, 2, ALONE, NULL, suspend, resume),
    CASE("suspend-two", 0, false, 2, ALONE, NULL, suspend, resume, resume),
    CASE("suspend-cancel", 0, false, 2, CANCEL, NULL, suspend_until_resumed_or_cancelled, resume),
    CASE("suspend-cancel-twice", 0, false, 2, CANCEL, NULL, suspend_twice, resume),
    CASE("join", 0, false, 2, ALONE, NULL, join, return_seven),
    CASE("join-two", 0, false, 2, ALONE, check_joined, join_first, return_seven, join_first),
    CASE("join-cancel", 0, false, 2, CANCEL, NULL, join_cancelled, return_seven),
    CASE("join-cancel-detach", 0, false, 2, CANCEL, NULL, join_or_end, return_seven),
    CASE("sleep", 0, false, 2, TIME, NULL, sleep_until, sleep_until),
    CASE("sleep-cancel", 0, false, 2, CANCEL, NULL, sleep_cancelled),
    CASE("sleep-cancel-late", 0, false, 2, TIME, NULL, sleep_cancelled_by_second, cancel),
    {0},
};
