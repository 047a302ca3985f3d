/* The delegation lock with a queue for each of two nodes: its outer mutex, and who gives up, ends, or gets no memory
 * between the two. */
#include "pool.h"
#include "script.h"
#include "sections.h"

#include <string.h>

#include "heddle/hqd_lock.h"
#include "kernel/topology.h"
#include "sync/delegation/delegation.h"

#define OK(call)           script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)
#define OK_OR(call, other) script_expect(#call, call, HEDDLE_OK, other)

#define NODES 2

struct topology topology; /* for hqd_nodes() */

static struct hqd_lock lock;
static struct qd_slot slots[NODES][2];

/* Tasks A and C are of node 0, B of node 1. */
static void prepare(unsigned count, uint32_t limit)
{
	OK(hqd_lock_create(&lock, NODES, slots[0], count, limit));
	for (unsigned i = 0; i < NODES; i++)
		sections_name(&lock.node[i], i == 0 ? "0." : "1.");
	explore_name(&lock.outer, sizeof lock.outer, "outer");
	explore_name(&lock.outer.word, sizeof lock.outer.word, "outer.word");
	explore_name(&lock.outer.owner, sizeof lock.outer.owner, "outer.owner");
	explore_ignore(&lock.outer.counters, sizeof lock.outer.counters);
	script_watch(&lock.outer.first, &lock.outer.counters);
	for (unsigned i = 0; i < 3; i++)
		model_task(i)->delegates_to = i % NODES + 1;
}

static void prepare_two(void)
{
	prepare(2, 8);
}

static void prepare_limit(void)
{
	prepare(2, 1);
}

static void prepare_same_node(void)
{
	prepare(2, 1);
	model_task(1)->delegates_to = 1;
}

static void prepare_no_place(void)
{
	prepare(2, 8);
	model_pool_limit("waiters", 0);
}

static void prepare_one_place(void)
{
	prepare(2, 8);
	model_pool_limit("waiters", 1);
}

static const char *check(void)
{
	const char *wrong = NULL;
	for (unsigned i = 0; i < NODES && !wrong; i++)
		wrong = sections_check(&lock.node[i]);
	if (!wrong && (lock.outer.word != MUTEX_FREE || lock.outer.first))
		wrong = "the outer mutex is not free";
	return wrong ? wrong : sections_check_given();
}

/* ---- to hold it ---- */

static void use(void)
{
	section_as_holder();
	OK(hqd_unlock(&lock));
	if (task_current()->sections)
		explore_fail("the critical section is over, and counts still");
}

static intptr_t hold(void *unused)
{
	(void)unused;
	OK_OR(hqd_lock(&lock), HEDDLE_OWNER_DIED);
	use();
	return 0;
}

static intptr_t hold_until(void *unused)
{
	(void)unused;
	enum heddle_error error = hqd_lock_until(&lock, SOON);
	script_expect("hqd_lock_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		use();
	return 0;
}

static intptr_t hold_cancelled(void *unused)
{
	(void)unused;
	enum heddle_error error = hqd_lock(&lock);
	script_expect("hqd_lock()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	if (error == HEDDLE_OK)
		use();
	return 0;
}

static intptr_t hold_and_end(void *unused)
{
	(void)unused;
	OK(hqd_lock(&lock));
	section_as_holder();
	return 0;
}

/* ---- to delegate ---- */

static intptr_t delegate(void *unused)
{
	(void)unused;
	struct note note = section_new();
	OK(hqd_delegate(&lock, section, sizeof note, &note));
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
	OK(hqd_delegate_wait(&lock, section, sizeof note, &note));
	section_expect_done(&note);
	return 0;
}

static intptr_t hold_until_then_await(void *unused)
{
	hold_until(unused);
	return await(unused);
}

static intptr_t await_fault(void *unused)
{
	(void)unused;
	struct note note = section_new();
	script_expect("hqd_delegate_wait()", hqd_delegate_wait(&lock, section_fault, sizeof note, &note),
	              HEDDLE_OWNER_DIED, HEDDLE_OWNER_DIED);
	return 0;
}

static intptr_t write_buffer(void *unused)
{
	(void)unused;
	void *buffer;
	OK_OR(hqd_delegate_or_lock(&lock, sizeof(struct note), &buffer), HEDDLE_OWNER_DIED);
	if (!buffer) {
		use();
		return 0;
	}
	explore_pause();
	struct note note = section_new();
	memcpy(buffer, &note, sizeof note);
	OK(hqd_close_buffer(&lock, buffer, section));
	return 0;
}

/* ---- without memory ---- */

static bool delegate_or_none(void)
{
	struct note note = section_new();
	enum heddle_error error = hqd_delegate(&lock, section, sizeof note, &note);
	script_expect("hqd_delegate()", error, HEDDLE_OK, HEDDLE_NO_MEMORY);
	if (error != HEDDLE_OK)
		section_withdraw(&note);
	return error == HEDDLE_OK;
}

/* What was refused is nowhere, and what was not comes to be carried out. */
static intptr_t delegate_without_memory(void *unused)
{
	(void)unused;
	delegate_or_none();
	delegate_or_none();
	return 0;
}

static intptr_t hold_without_memory(void *unused)
{
	(void)unused;
	enum heddle_error error = hqd_lock(&lock);
	script_expect("hqd_lock()", error, HEDDLE_OK, HEDDLE_NO_MEMORY);
	if (error == HEDDLE_OK)
		use();
	return 0;
}

#define CASE(title, limit, longer, world, first, ...) \
	SCRIPT_CASE("hqd_lock", title, limit, longer, 2, world, first, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("two", 0, false, ALONE, prepare_two, delegate, await),
    CASE("three", 2, true, ALONE, prepare_two, delegate, hold, await),
    CASE("limit", 2, true, ALONE, prepare_limit, delegate_twice, hold, hold),
    CASE("deadline", 1, false, TIME, prepare_two, hold_until_then_await, hold, hold),
    CASE("deadline-2", 2, true, TIME, prepare_two, hold_until_then_await, hold, hold),
    CASE("limit-deadline", 2, false, TIME, prepare_same_node, delegate_twice, hold_until, hold),
    CASE("cancel", 2, true, CANCEL, prepare_two, hold_cancelled, hold, await),
    CASE("ends", 2, false, ALONE, prepare_two, hold_and_end, hold, hold),
    CASE("ends-in-section", 2, false, ALONE, prepare_two, hold, hold, await_fault),
    CASE("ends-buffer", 2, false, ALONE, prepare_two, hold_and_end, hold, write_buffer),
    CASE("no-place", 2, true, ALONE, prepare_no_place, delegate_without_memory, hold_without_memory,
         delegate_without_memory),
    CASE("one-place", 2, false, ALONE, prepare_one_place, delegate_without_memory, hold_without_memory,
         delegate_without_memory),
    {0},
};
