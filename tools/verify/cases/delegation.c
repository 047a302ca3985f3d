/* Delegation: closing the queue while a slot is taken, a full queue, what a helper leaves to the next, buffers that
 * are still open, delegation from inside, readers, and the end of a lock. */
#include "script.h"
#include "sections.h"

#include <string.h>

#include "sync/delegation/delegation.h"

#define OK(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

static struct mrqd_lock lock; /* used as either */
static struct qd_slot slots[4];

/* The queue begins at that number. */
static void prepare(unsigned count, uint32_t limit, uint64_t position, bool with_readers)
{
	lock.lock = (struct qd_lock)HEDDLE_QD_LOCK_INITIALIZER(slots, count, limit);
	lock.lock.kind = with_readers ? HEDDLE_QD_READERS : HEDDLE_QD_PLAIN;
	lock.lock.next = position;
	atomic_init(&lock.lock.tail, position * 2);
	atomic_init(&lock.lock.head, position);
	sections_name(&lock.lock, "");
	explore_name(&lock.waiting, sizeof lock.waiting, "waiting");
}

static void prepare_two(void)
{
	prepare(2, 8, 0, false);
}

static void prepare_one(void)
{
	prepare(1, 8, 0, false);
}

static void prepare_limit(void)
{
	prepare(2, 1, 0, false);
}

/* The next message of two slots does not fit before the end. */
static void prepare_end(void)
{
	prepare(4, 8, 3, false);
}

static void prepare_readers(void)
{
	prepare(2, 1, 0, true);
}

static const char *check_sections(unsigned count)
{
	const char *wrong = sections_check(&lock.lock);
	if (!wrong && mrqd_is_read(&lock))
		wrong = "a task still reads, or awaits readers";
	if (!wrong && sections_done != count)
		wrong = "a section was lost, or carried out twice";
	return wrong;
}

static const char *check_two(void)
{
	return check_sections(2);
}

static const char *check_three(void)
{
	return check_sections(3);
}

static const char *check_four(void)
{
	return check_sections(4);
}

/* ---- sections ---- */

static void delegate(unsigned number)
{
	struct note note = section_note(number);
	OK(qd_delegate(&lock.lock, section, sizeof note, &note));
}

static void delegate_wide(unsigned number)
{
	struct note message[2] = {section_note(number)};
	OK(qd_delegate(&lock.lock, section, sizeof message, message));
}

static void delegate_large(unsigned number)
{
	unsigned char message[SECTION_LARGE] = {0};
	struct note note = section_note(number);
	memcpy(message, &note, sizeof note);
	OK(qd_delegate(&lock.lock, section, sizeof message, message));
}

static void delegate_wait(unsigned number)
{
	struct note note = section_note(number);
	OK(qd_delegate_wait(&lock.lock, section, sizeof note, &note));
	section_expect_done(&note);
}

static void delegate_or_lock(unsigned number)
{
	void *buffer;
	struct note note = section_note(number);
	OK(qd_delegate_or_lock(&lock.lock, sizeof note, &buffer));
	if (buffer) {
		explore_pause();
		memcpy(buffer, &note, sizeof note);
		OK(qd_close_buffer(&lock.lock, buffer, section));
	} else {
		section(sizeof note, &note);
		OK(qd_delegate_unlock(&lock.lock));
	}
}

static void hold(unsigned number)
{
	struct note note = section_note(number);
	OK(qd_lock(&lock.lock));
	section(sizeof note, &note);
	OK(qd_unlock(&lock.lock));
}

/* ---- tasks ---- */

static intptr_t delegate_once(void *unused)
{
	(void)unused;
	delegate(0);
	return 0;
}

static intptr_t delegate_twice(void *unused)
{
	delegate_once(unused);
	delegate_wide(1);
	return 0;
}

static intptr_t delegate_large_once(void *unused)
{
	(void)unused;
	delegate_large(0);
	return 0;
}

static intptr_t wait_once(void *unused)
{
	(void)unused;
	delegate_wait(0);
	return 0;
}

static intptr_t delegate_then_wait(void *unused)
{
	delegate_once(unused);
	delegate_wait(1);
	return 0;
}

static intptr_t delegate_then_hold(void *unused)
{
	delegate_once(unused);
	hold(1);
	return 0;
}

static intptr_t hold_once(void *unused)
{
	(void)unused;
	hold(0);
	return 0;
}

static intptr_t buffer_once(void *unused)
{
	(void)unused;
	delegate_or_lock(0);
	return 0;
}

static intptr_t hold_until(void *unused)
{
	(void)unused;
	struct note note = section_note(0);
	enum heddle_error error = qd_lock_until(&lock.lock, SOON);
	script_expect("qd_lock_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK) {
		section(sizeof note, &note);
		OK(qd_unlock(&lock.lock));
	}
	return 0;
}

/* Its place from the first wait may still be in the mutex's queue. */
static intptr_t hold_until_then_wait(void *unused)
{
	hold_until(unused);
	delegate_wait(sections_of[model_task_number(task_current())]);
	return 0;
}

static const char *check_two_or_three(void)
{
	return sections_done == 2 ? check_two() : check_three();
}

/* ---- from inside ---- */

static void inner_section(size_t size, void *message)
{
	section(size, message);
}

/* Delegates two more; the queue has room for one or none. */
static void outer_section(size_t size, void *message)
{
	const struct note *note = message;
	struct note first = {note->task, note->number + 1}, second = {note->task, note->number + 2};
	section(size, message);
	OK(qd_delegate(&lock.lock, inner_section, sizeof first, &first));
	OK(qd_delegate(&lock.lock, inner_section, sizeof second, &second));
}

static intptr_t delegate_nested(void *unused)
{
	(void)unused;
	struct note note = section_note(0);
	OK(qd_delegate(&lock.lock, outer_section, sizeof note, &note));
	return 0;
}

static void waiting_section(size_t size, void *message)
{
	const struct note *note = message;
	struct note inner = {note->task, note->number + 1};
	section(size, message);
	OK(qd_delegate_wait(&lock.lock, inner_section, sizeof inner, &inner));
	section_expect_done(&inner);
}

static intptr_t delegate_nested_wait(void *unused)
{
	(void)unused;
	struct note note = section_note(0);
	OK(qd_delegate_wait(&lock.lock, waiting_section, sizeof note, &note));
	return 0;
}

/* ---- readers ---- */

static void read(unsigned least)
{
	OK(mrqd_read_lock(&lock));
	sections_readers++;
	if (sections_of[model_task_number(task_current())] < least)
		explore_fail("a reader does not see what it has delegated before");
	explore_pause();
	sections_readers--;
	OK(mrqd_read_unlock(&lock));
}

static intptr_t read_once(void *unused)
{
	(void)unused;
	read(0);
	return 0;
}

static intptr_t delegate_then_read(void *unused)
{
	delegate_once(unused);
	read(1);
	return 0;
}

static const char *check_one(void)
{
	return check_sections(1);
}

#define LOCK(operation, ...) qd_##operation(&lock.lock, ##__VA_ARGS__)
#include "leaving.h"

/* The calls of both have returned, so neither helps any more. */
static intptr_t wait_and_free(void *unused)
{
	static _Atomic unsigned returned;
	struct note note = section_note(0);
	(void)unused;
	OK(qd_delegate_wait(&lock.lock, section, sizeof note, &note));
	if (++returned == 2)
		explore_free(&lock, sizeof lock);
	return 0;
}

#define CASE(title, limit, longer, count, world, first, last, ...) \
	SCRIPT_CASE("delegation", title, limit, longer, count, world, first, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("two", 0, false, 2, ALONE, prepare_two, check_two, delegate_once, delegate_once),
    CASE("two-twice", 2, true, 2, ALONE, prepare_two, check_four, delegate_twice, delegate_twice),
    CASE("full", 2, false, 2, ALONE, prepare_one, check_four, delegate_twice, delegate_twice),
    CASE("three", 2, true, 2, ALONE, prepare_two, check_three, delegate_once, delegate_once, delegate_once),
    CASE("wait", 0, false, 2, ALONE, prepare_two, check_two, wait_once, wait_once),
    CASE("wait-full", 2, false, 2, ALONE, prepare_one, check_three, wait_once, wait_once, wait_once),
    CASE("wait-after", 2, true, 2, ALONE, prepare_two, check_four, delegate_then_wait, delegate_then_wait),
    CASE("limit", 2, true, 2, ALONE, prepare_limit, check_four, delegate_twice, delegate_then_hold),
    CASE("limit-three", 2, false, 2, ALONE, prepare_limit, check_four, delegate_once, delegate_then_hold,
         hold_once),
    CASE("end-of-ring", 0, false, 2, ALONE, prepare_end, check_two, delegate_large_once, delegate_large_once),
    CASE("buffer", 0, false, 2, ALONE, prepare_two, check_two, buffer_once, delegate_once),
    CASE("buffer-both", 3, false, 2, ALONE, prepare_two, check_two, buffer_once, buffer_once),
    CASE("buffer-full", 2, false, 2, ALONE, prepare_one, check_three, buffer_once, buffer_once,
         delegate_once),
    CASE("buffer-three", 2, true, 2, ALONE, prepare_limit, check_three, buffer_once, hold_once,
         delegate_once),
    CASE("deadline", 2, false, 2, TIME, prepare_two, check_two_or_three, hold_until_then_wait, hold_once),
    CASE("nested", 2, false, 2, ALONE, prepare_two, check_four, delegate_nested, delegate_once),
    CASE("nested-full", 2, false, 2, ALONE, prepare_one, check_four, delegate_nested, delegate_once),
    CASE("nested-wait", 3, false, 2, ALONE, prepare_two, check_three, delegate_nested_wait, delegate_once),
    CASE("reader", 0, false, 2, ALONE, prepare_readers, check_one, read_once, delegate_once),
    CASE("reader-sees", 3, false, 2, ALONE, prepare_readers, check_two, delegate_then_read, delegate_once),
    CASE("reader-three", 2, true, 2, ALONE, prepare_readers, check_two, delegate_then_read, delegate_once,
         read_once),
    CASE("freed", 0, false, 2, ALONE, prepare_two, NULL, leave_by_unlock, leave_by_unlock),
    CASE("freed-wait", 0, false, 2, ALONE, prepare_two, NULL, leave_by_delegate_wait, leave_by_unlock),
    CASE("freed-returned", 0, false, 2, ALONE, prepare_two, NULL, wait_and_free, wait_and_free),
    CASE("freed-delegate", 0, false, 2, ALONE, prepare_two, NULL, leave_by_delegate, leave_by_unlock),
    CASE("freed-buffer", 0, false, 2, ALONE, prepare_two, NULL, leave_by_buffer, leave_by_buffer),
    {0},
};
