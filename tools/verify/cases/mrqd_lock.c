/* The delegation lock for many readers: which wait a leaving reader ends, and what a task reads. */
#include "pool.h"
#include "script.h"
#include "sections.h"

#include <string.h>

#include "sync/delegation/delegation.h"

#define OK(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

static struct mrqd_lock lock, others[TASK_READS];
static struct qd_slot slots[2];

static void prepare(void)
{
	OK(mrqd_lock_create(&lock, slots, 2, 1));
	sections_name(&lock.lock, "");
	explore_name(&lock.waiting, sizeof lock.waiting, "waiting");
}

static void prepare_no_share(void)
{
	prepare();
	model_pool_limit("reads", 0);
}

/* The first wait of task C, which A makes, has the number of A's second wait. */
static void prepare_numbers(void)
{
	prepare();
	explore_name(&lock.ticket, sizeof lock.ticket, "ticket");
	atomic_init(&model_task(2)->wait.word, WAIT_ONE);
}

static const char *check(void)
{
	return sections_check_all(&lock);
}

/* ---- to hold it, and to delegate ---- */

static intptr_t use_if(enum heddle_error error, enum heddle_error other)
{
	script_expect("mrqd_lock()", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK) {
		section_as_holder();
		OK(mrqd_unlock(&lock));
	}
	return 0;
}

static intptr_t hold(void *unused)
{
	(void)unused;
	return use_if(mrqd_lock(&lock), HEDDLE_OK);
}

static intptr_t hold_until(void *unused)
{
	(void)unused;
	return use_if(mrqd_lock_until(&lock, SOON), HEDDLE_TIMED_OUT);
}

static intptr_t hold_at_once(void *unused)
{
	(void)unused;
	return use_if(mrqd_try_lock(&lock), HEDDLE_BUSY);
}

static intptr_t await(void *unused)
{
	(void)unused;
	struct note note = section_new();
	OK(mrqd_delegate_wait(&lock, section, sizeof note, &note));
	section_expect_done(&note);
	return 0;
}

static intptr_t hold_twice(void *unused)
{
	hold(unused);
	return hold(unused);
}

static intptr_t write_in_place(void *unused)
{
	(void)unused;
	void *buffer;
	OK(mrqd_delegate_or_lock(&lock, sizeof(struct note), &buffer));
	if (!buffer)
		return use_if(HEDDLE_OK, HEDDLE_OK);
	struct note note = section_new();
	memcpy(buffer, &note, sizeof note);
	OK(mrqd_close_buffer(&lock, buffer, section));
	return 0;
}

/* ---- to read ---- */

static intptr_t read_if(enum heddle_error error, enum heddle_error other)
{
	script_expect("mrqd_read_lock()", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK)
		sections_read(&lock);
	return 0;
}

static intptr_t read_once(void *unused)
{
	(void)unused;
	return read_if(mrqd_read_lock(&lock), HEDDLE_OK);
}

static intptr_t read_until(void *unused)
{
	(void)unused;
	return read_if(mrqd_read_lock_until(&lock, SOON), HEDDLE_TIMED_OUT);
}

static intptr_t read_at_once(void *unused)
{
	(void)unused;
	return read_if(mrqd_read_try_lock(&lock), HEDDLE_BUSY);
}

/* Read as many locks as a task has places for; one more is refused. */
static intptr_t read_without_share(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < TASK_READS; i++)
		OK(mrqd_read_lock(&others[i]));
	script_expect("mrqd_read_lock()", mrqd_read_lock(&lock), HEDDLE_NO_MEMORY, HEDDLE_NO_MEMORY);
	script_expect("mrqd_read_try_lock()", mrqd_read_try_lock(&lock), HEDDLE_NO_MEMORY, HEDDLE_NO_MEMORY);
	for (unsigned i = 0; i < TASK_READS; i++)
		OK(mrqd_read_unlock(&others[i]));
	return 0;
}

static intptr_t read_and_end(void *unused)
{
	(void)unused;
	OK(mrqd_read_lock(&lock));
	return 0;
}

/* A leaving reader ends the wait of the holder that it has seen, and no other wait of that task: not the one for
 * task_resume(), which has this number. */
static bool has_read;
static uint64_t suspended;

static intptr_t hold_until_then_suspend(void *unused)
{
	hold_until(unused);
	if (!has_read)
		return 0;
	OK(mrqd_read_lock(&lock));
	struct task *next;
	OK(task_create(&next, hold, NULL, NULL));
	suspended = wait_ticket(task_current()) + WAIT_ONE;
	OK(task_suspend());
	sections_read(&lock);
	return 0;
}

static intptr_t read_then_resume(void *unused)
{
	(void)unused;
	OK(mrqd_read_lock(&lock));
	has_read = true;
	sections_read(&lock);
	if (suspended && wait_has_ended(model_task(0), suspended) && wait_ticket(model_task(0)) == suspended)
		explore_fail("task A goes on, but task_resume() was not called");
	task_resume(model_task(0));
	return 0;
}

/* ---- the end of a lock ---- */

#define LOCK(operation, ...) mrqd_##operation(&lock, ##__VA_ARGS__)
#include "leaving.h"

static intptr_t leave_by_read_unlock(void *unused)
{
	(void)unused;
	OK(mrqd_read_lock(&lock));
	left = 1;
	OK(mrqd_read_unlock(&lock));
	return 0;
}

/* It may give up while a reader leaves. */
static intptr_t leave_by_unlock_in_time(void *unused)
{
	hold_until(unused);
	return leave_by_unlock(unused);
}

#define CASE(title, limit, world, first, ...) \
	SCRIPT_CASE("mrqd_lock", title, limit, false, 2, world, first, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("numbers", 2, TIME, prepare_numbers, hold_until_then_suspend, read_then_resume),
    CASE("no-share", 2, ALONE, prepare_no_share, read_without_share, hold, await),
    CASE("try", 2, ALONE, prepare, read_at_once, hold_at_once, await),
    CASE("let-in", 2, ALONE, prepare, hold_twice, read_once, read_once),
    CASE("let-in-until", 2, TIME, prepare, hold, read_once, read_until),
    CASE("in-place", 2, ALONE, prepare, write_in_place, read_once, write_in_place),
    CASE("readers-end", 2, ALONE, prepare, read_and_end, hold, read_and_end),
    SCRIPT_CASE("mrqd_lock", "freed", 0, false, 2, ALONE, prepare, NULL, leave_by_read_unlock,
                leave_by_unlock),
    SCRIPT_CASE("mrqd_lock", "freed-deadline", 3, false, 2, TIME, prepare, NULL, leave_by_read_unlock,
                leave_by_unlock_in_time),
    SCRIPT_CASE("mrqd_lock", "freed-wait", 0, false, 2, ALONE, prepare, NULL, leave_by_delegate_wait,
                leave_by_unlock),
    SCRIPT_CASE("mrqd_lock", "freed-delegate", 0, false, 2, ALONE, prepare, NULL, leave_by_delegate,
                leave_by_unlock),
    SCRIPT_CASE("mrqd_lock", "freed-buffer", 0, false, 2, ALONE, prepare, NULL, leave_by_read_unlock,
                leave_by_buffer),
    {0},
};
