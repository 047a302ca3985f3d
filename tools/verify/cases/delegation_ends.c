/* Delegation in which a task gives up, ends, or gets no memory: three tasks, so that one holds the lock, one leaves,
 * and one is affected. */
#include "pool.h"
#include "script.h"
#include "sections.h"

#include "sync/delegation/delegation.h"

static struct mrqd_lock lock; /* used as either */
static struct qd_slot slots[4];

#define LOCK(operation, ...) qd_##operation(&lock.lock, ##__VA_ARGS__)
#include "delegating.h"

static void prepare(unsigned count, uint32_t limit, enum heddle_qd_kind kind)
{
	lock.lock = (struct qd_lock)HEDDLE_QD_LOCK_INITIALIZER(slots, count, limit);
	lock.lock.kind = kind;
	sections_name(&lock.lock, "");
	explore_name(&lock.waiting, sizeof lock.waiting, "waiting");
}

static void prepare_two(void)
{
	prepare(2, 8, HEDDLE_QD_PLAIN);
}

static void prepare_one(void)
{
	prepare(1, 8, HEDDLE_QD_PLAIN);
}

/* One slot is left before the end of the ring, and it has been used before. */
static void prepare_end_of_ring(void)
{
	prepare(4, 8, HEDDLE_QD_PLAIN);
	lock.lock.next = lock.lock.head = lock.lock.head_seen = 3;
	lock.lock.tail = 3 * QD_TAKEN;
	slots[3].slots = 1;
}

static void prepare_limit(void)
{
	prepare(2, 1, HEDDLE_QD_PLAIN);
}

static void prepare_readers(void)
{
	prepare(2, 1, HEDDLE_QD_READERS);
}

static void prepare_no_place(void)
{
	prepare_one();
	model_pool_limit("waiters", 0);
}

static void prepare_readers_no_place(void)
{
	prepare_readers();
	model_pool_limit("waiters", 0);
}

static void prepare_no_heap(void)
{
	prepare_one();
	model_heap_limit(0);
}

static const char *check(void)
{
	return sections_check_all(&lock);
}

/* A task that ends in another's section has not reached its own. */
static const char *check_faults(void)
{
	for (unsigned i = 0; i < 3; i++)
		if (model_task(i)->ending == HEDDLE_TASK_FAULT && sections_of[i] + 1 == sections_given[i])
			sections_given[i]--;
	return check();
}

/* ---- to hold it ---- */

static intptr_t hold_and_end(void *unused)
{
	(void)unused;
	OK_OR(qd_lock(&lock.lock), HEDDLE_OWNER_DIED);
	section_as_holder();
	return 0;
}

/* ---- to delegate ---- */

static intptr_t hold_cancelled_then_await(void *unused)
{
	hold_cancelled(unused);
	return await(unused);
}

static intptr_t hold_until_then_delegate(void *unused)
{
	hold_until(unused);
	return delegate(unused);
}

/* It takes two slots. */
static intptr_t write_large_buffer(void *unused)
{
	(void)unused;
	return write_into(open_buffer_of(SECTION_LARGE));
}

static intptr_t end_with_buffer(void *unused)
{
	(void)unused;
	if (open_buffer())
		task_exit_by_fault();
	return 0;
}

/* ---- readers ---- */

static intptr_t read_if(enum heddle_error error, enum heddle_error other)
{
	script_expect("mrqd_read_lock()", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK || error == HEDDLE_OWNER_DIED)
		sections_read(&lock);
	return 0;
}

static intptr_t read_lock_once(void *unused)
{
	(void)unused;
	return read_if(mrqd_read_lock(&lock), HEDDLE_OWNER_DIED);
}

static intptr_t read_until(void *unused)
{
	(void)unused;
	return read_if(mrqd_read_lock_until(&lock, SOON), HEDDLE_TIMED_OUT);
}

static intptr_t read_cancelled(void *unused)
{
	(void)unused;
	return read_if(mrqd_read_lock(&lock), HEDDLE_CANCELLED);
}

static intptr_t read_without_place(void *unused)
{
	(void)unused;
	return read_if(mrqd_read_lock(&lock), HEDDLE_NO_MEMORY);
}

static intptr_t read_until_then_await(void *unused)
{
	read_until(unused);
	return await(unused);
}

/* Delegates one more from inside. */
static void section_nested(size_t size, void *message)
{
	struct note inner = *(struct note *)message;
	section(size, message);
	inner.number++;
	OK(qd_delegate(&lock.lock, section, sizeof inner, &inner));
}

static intptr_t delegate_nested(void *unused)
{
	(void)unused;
	struct note note = section_new();
	section_new();
	OK(qd_delegate(&lock.lock, section_nested, sizeof note, &note));
	return 0;
}

static intptr_t delegate_then_nested(void *unused)
{
	delegate(unused);
	return delegate_nested(unused);
}

/* ---- without memory ---- */

static intptr_t await_without_place(void *unused)
{
	(void)unused;
	struct note note = section_new();
	delegated_or_not(LOCK(delegate_wait, section, sizeof note, &note), &note);
	return 0;
}

/* The queue has no room for two more, and there is no other. */
static intptr_t hold_and_delegate(void *unused)
{
	(void)unused;
	OK(qd_lock(&lock.lock));
	delegate_or_none();
	delegate_or_none();
	OK(qd_unlock(&lock.lock));
	return 0;
}

#define CASE(title, limit, longer, world, first, ...) \
	SCRIPT_CASE("delegation_ends", title, limit, longer, 2, world, first, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("deadline-three", 3, true, TIME, prepare_two, hold_until_then_await, hold, hold),
    CASE("deadline-delegates", 2, false, TIME, prepare_two, hold_until_then_delegate, hold, hold),
    CASE("deadline-full", 2, true, TIME, prepare_one, hold_until_then_await, delegate, hold),
    CASE("cancel-three", 2, true, CANCEL, prepare_two, hold_cancelled_then_await, hold, hold),
    CASE("limit-deadline", 2, false, TIME, prepare_limit, delegate_twice, hold_until, hold),
    CASE("limit-cancel", 2, false, CANCEL, prepare_limit, hold_cancelled, delegate_twice, hold),
    CASE("no-place", 2, false, ALONE, prepare_no_place, delegate_without_place, hold_without_place,
         await_without_place),
    CASE("no-heap", 2, false, ALONE, prepare_no_heap, hold_and_delegate, delegate, delegate),
    CASE("ends", 2, false, ALONE, prepare_two, hold_and_end, await, hold),
    CASE("ends-limit", 2, false, ALONE, prepare_limit, hold_and_end, delegate_twice, hold),
    CASE("ends-in-section", 2, false, ALONE, prepare_two, hold, await_fault, delegate),
    SCRIPT_CASE("delegation_ends", "ends-in-sections", 2, false, 2, ALONE, prepare_two, check_faults,
                hold_and_end, await_fault, await_fault),
    CASE("ends-buffer", 2, false, ALONE, prepare_two, hold_and_end, write_buffer),
    CASE("ends-buffer-three", 2, false, ALONE, prepare_two, hold_and_end, write_buffer, hold),
    CASE("ends-buffer-behind-skipped", 2, false, ALONE, prepare_end_of_ring, hold_and_end, write_large_buffer,
         hold),
    CASE("ends-with-buffer", 2, false, ALONE, prepare_two, end_with_buffer, await, hold),
    CASE("reader-deadline", 2, false, TIME, prepare_readers, read_until_then_await, delegate, hold),
    CASE("reader-cancel", 2, false, CANCEL, prepare_readers, read_cancelled, hold, delegate),
    CASE("writer-deadline", 2, false, TIME, prepare_readers, hold_until, read_lock_once, await),
    CASE("writer-cancel", 2, true, CANCEL, prepare_readers, hold_cancelled, read_lock_once, await),
    CASE("reader-ends", 2, false, ALONE, prepare_readers, hold_and_end, read_lock_once, await),
    CASE("reader-ends-buffer", 2, false, ALONE, prepare_readers, hold_and_end, write_buffer, read_lock_once),
    CASE("reader-no-place", 2, false, ALONE, prepare_readers_no_place, read_without_place, hold_without_place,
         delegate_without_place),
    CASE("reader-ends-in-section", 2, false, ALONE, prepare_readers, hold, await_fault, read_lock_once),
    CASE("reader-nested", 2, false, ALONE, prepare_readers, hold, delegate_then_nested, read_lock_once),
    {0},
};
