/* The delegation lock with a queue for each of two nodes: its outer mutex, and tasks that give up, end, or get no
 * memory between the two. */
#include "pool.h"
#include "script.h"
#include "sections.h"

#include "heddle/hqd_lock.h"
#include "kernel/topology.h"
#include "sync/delegation/delegation.h"

#define NODES 2

struct topology topology; /* for hqd_nodes() */

static struct hqd_lock lock;
static struct qd_slot slots[NODES][2];

#define LOCK(operation, ...) hqd_##operation(&lock, ##__VA_ARGS__)
#include "delegating.h"
#include "leaving.h"

/* Tasks A and C are on node 0, B on node 1. */
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
		model_task(i)->locks.delegates_to = i % NODES + 1;
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
	model_task(1)->locks.delegates_to = 1;
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
	if (!wrong && lock.outer.owner_died)
		wrong = "a task has ended with the outer mutex";
	return wrong ? wrong : sections_check_given();
}

static intptr_t hold_and_end(void *unused)
{
	(void)unused;
	OK(hqd_lock(&lock));
	section_as_holder();
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
    CASE("no-place", 2, true, ALONE, prepare_no_place, delegate_without_place, hold_without_place,
         delegate_without_place),
    CASE("one-place", 2, false, ALONE, prepare_one_place, delegate_without_place, hold_without_place,
         delegate_without_place),
    SCRIPT_CASE("hqd_lock", "freed", 3, false, 2, ALONE, prepare_two, NULL, leave_by_unlock, leave_by_unlock),
    SCRIPT_CASE("hqd_lock", "freed-same-node", 3, false, 2, ALONE, prepare_same_node, NULL, leave_by_unlock,
                leave_by_unlock),
    SCRIPT_CASE("hqd_lock", "freed-wait", 3, false, 2, ALONE, prepare_same_node, NULL, leave_by_delegate_wait,
                leave_by_unlock),
    SCRIPT_CASE("hqd_lock", "freed-delegate", 3, false, 2, ALONE, prepare_same_node, NULL, leave_by_delegate,
                leave_by_unlock),
    SCRIPT_CASE("hqd_lock", "freed-buffer", 3, false, 2, ALONE, prepare_same_node, NULL, leave_by_buffer,
                leave_by_buffer),
    {0},
};
