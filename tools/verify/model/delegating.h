/*
 * What tasks do with a delegation lock when some may give up, end or get no memory. A case file includes this after
 * its lock, and first defines how an operation on it is called:
 *
 *     #define LOCK(operation, ...) qd_##operation(&lock, ##__VA_ARGS__)
 */
#ifndef MODEL_DELEGATING_H
#define MODEL_DELEGATING_H

#include <string.h>

#include "script.h"
#include "sections.h"

#define OK(call)           script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)
#define OK_OR(call, other) script_expect(#call, call, HEDDLE_OK, other)

/* ---- to hold it ---- */

static void use(void)
{
	section_as_holder();
	OK(LOCK(unlock));
	if (task_current()->locks.sections)
		explore_fail("the critical section is over, and counts still");
}

/* Use the lock if the call returned that error; any other error means that the task does not have it. */
static intptr_t use_if(enum heddle_error error, enum heddle_error other)
{
	script_expect("a lock", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK || error == HEDDLE_OWNER_DIED)
		use();
	return 0;
}

static intptr_t hold(void *unused)
{
	(void)unused;
	return use_if(LOCK(lock), HEDDLE_OWNER_DIED);
}

static intptr_t hold_until(void *unused)
{
	(void)unused;
	return use_if(LOCK(lock_until, SOON), HEDDLE_TIMED_OUT);
}

static intptr_t hold_cancelled(void *unused)
{
	(void)unused;
	return use_if(LOCK(lock), HEDDLE_CANCELLED);
}

static intptr_t hold_without_place(void *unused)
{
	(void)unused;
	return use_if(LOCK(lock), HEDDLE_NO_MEMORY);
}

/* ---- to delegate ---- */

static intptr_t delegate(void *unused)
{
	(void)unused;
	struct note note = section_new();
	OK(LOCK(delegate, section, sizeof note, &note));
	return 0;
}

static intptr_t delegate_twice(void *unused)
{
	delegate(unused);
	return delegate(unused);
}

static intptr_t await(void *unused)
{
	(void)unused;
	struct note note = section_new();
	OK(LOCK(delegate_wait, section, sizeof note, &note));
	section_expect_done(&note);
	return 0;
}

/* Its place from the first wait may still be in the mutex's queue. */
static intptr_t hold_until_then_await(void *unused)
{
	hold_until(unused);
	return await(unused);
}

/* The task that runs it ends: this one, or another that helps. */
static intptr_t await_fault(void *unused)
{
	(void)unused;
	struct note note = section_new();
	script_expect("a delegation", LOCK(delegate_wait, section_fault, sizeof note, &note), HEDDLE_OWNER_DIED,
	              HEDDLE_OWNER_DIED);
	return 0;
}

/* The buffer is open for a while; or the caller has used the lock, and there is none. */
static void *open_buffer_of(size_t size)
{
	void *buffer;
	OK_OR(LOCK(delegate_or_lock, size, &buffer), HEDDLE_OWNER_DIED);
	if (!buffer)
		use();
	return buffer;
}

static void *open_buffer(void)
{
	return open_buffer_of(sizeof(struct note));
}

static intptr_t write_into(void *buffer)
{
	if (!buffer)
		return 0;
	explore_pause();
	struct note note = section_new();
	memcpy(buffer, &note, sizeof note);
	OK(LOCK(close_buffer, buffer, section));
	return 0;
}

static intptr_t write_buffer(void *unused)
{
	(void)unused;
	return write_into(open_buffer());
}

/* A refused section is nowhere. */
static void delegated_or_not(enum heddle_error error, const struct note *note)
{
	script_expect("a delegation", error, HEDDLE_OK, HEDDLE_NO_MEMORY);
	if (error != HEDDLE_OK)
		section_withdraw(note);
}

/* A section that was not refused runs. */
static void delegate_or_none(void)
{
	struct note note = section_new();
	delegated_or_not(LOCK(delegate, section, sizeof note, &note), &note);
}

static intptr_t delegate_without_place(void *unused)
{
	(void)unused;
	delegate_or_none();
	delegate_or_none();
	return 0;
}

#endif
