/* How a task becomes ready (ready.h). */
#include "sched/brisk.h"
#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/ready_bound.h"
#include "sched/ready_global.h"
#include "sched/wake.h"

struct local_queue *ready_local(struct scheduler *scheduler, const struct task *task)
{
	levels_set(scheduler, 1u << task->schedule.priority);
	return &scheduler->local[task->schedule.priority];
}

static void publish_bound(struct task *task)
{
	struct processor *home = &processors[task->schedule.bound];
	unsigned level = task->schedule.priority; /* once the task can be found, it may be gone */
	ready_bound_put(task);
	quantum_ask_if_lower(home, level);
}

/* While hand-overs of a lock follow each other, each leaves a task here, and all its waiters wait while that is shared,
 * which takes longer than a short section. So such tasks are shared together: with the last, or with each of these. A
 * processor that wants one before that asks for it (ready_want()). One that halts does not ask, and the hand-over may
 * not come, as all that waited may give up: so this processor looks at its next pick or check as well. */
#define SHARE_TOGETHER 4

/* Whether a processor has nothing to do; or false if the next hand-over will look, or the next pick or check. */
static bool sees_resting_in_chain(struct scheduler *scheduler)
{
	bool rests = wake_is_resting();
	if (rests && chain_has_more(scheduler) && !ready_expects_foreign() &&
	    ++scheduler->unshared < SHARE_TOGETHER) {
		scheduler->relies = true;
		return false;
	}
	scheduler->unshared = 0;
	return rests;
}

/* A processor has nothing to do: share what is in the queue. Returns whether a processor is on its way.
 *
 * The one on its way may look before it sees our stores, and find another task. To wait until they have settled
 * takes longer than the rest of this, since others keep the lines of the queue busy. So this processor looks again at
 * its next pick or check, unless its tasks may come to neither for long. */
static bool share_and_wake(struct scheduler *scheduler, struct local_queue *queue)
{
	local_queue_share_each(queue);
	if (ready_expects_foreign())
		local_queue_order(queue);
	else
		scheduler->relies = true;
	return wake_unless_arriving(wake_enough());
}

static void wake_for_overlooked(void *argument)
{
	struct scheduler *scheduler = argument;
	bool together = scheduler->unshared > 0 && wake_is_resting(), shared = false;
	scheduler->relies = false;
	scheduler->unshared = 0;
	for (uint32_t levels = levels_anywhere(scheduler); levels; levels &= levels - 1) {
		struct local_queue *queue = &scheduler->local[__builtin_ctz(levels)];
		shared |= together ? local_queue_share(queue) : local_queue_still_shared(queue);
	}
	if (shared)
		wake_unless_arriving(wake_enough());
}

READY_RARE static void look_for_overlooked(struct scheduler *scheduler)
{
	arch_call_on_processor_stack(wake_for_overlooked, scheduler);
}

/* Under sched=local. Returns whether a processor is on its way. */
static bool publish_local(struct scheduler *scheduler, struct task *task)
{
	struct local_queue *queue = ready_local(scheduler, task);
	local_queue_put(queue, task);
	return !brisk_is(scheduler) && sees_resting_in_chain(scheduler) && share_and_wake(scheduler, queue);
}

static void share_own_now(void *argument)
{
	struct scheduler *scheduler = argument;
	bool shared = false;
	/* Before the tasks are looked at: a later request is seen the next time. */
	atomic_store_explicit(&scheduler->wanted, 0, memory_order_relaxed);
	uint32_t levels = levels_anywhere(scheduler);
	for (; levels; levels &= levels - 1)
		shared |= local_queue_share(&scheduler->local[__builtin_ctz(levels)]);
	if (shared)
		wake_unless_arriving(1);
}

/* This is rare, and may need more stack than a task is sure to have. */
READY_RARE static void share_own(struct scheduler *scheduler)
{
	arch_call_on_processor_stack(share_own_now, scheduler);
}

/* The processor is about to share; no other need interrupt it. */
#define WANTED_BY_ITSELF (UINT64_MAX - READY_PATIENCE)

void ready_want(struct scheduler *owner)
{
	if (!atomic_load_explicit(&owner->wanted, memory_order_relaxed))
		atomic_store_explicit(&owner->wanted, ready_now(), memory_order_relaxed);
}

void ready_share_moved(struct scheduler *scheduler)
{
	if (wake_is_resting())
		share_own(scheduler);
}

bool ready_must_share_moved(void)
{
	bool rests = wake_is_resting();
	if (rests)
		atomic_store_explicit(&scheduler_current()->wanted, WANTED_BY_ITSELF, memory_order_relaxed);
	return rests;
}

/* A processor that runs a lower task may have to make way for one that was published before. */
READY_RARE static void ask_lower(struct scheduler *scheduler, unsigned level, bool on_the_way)
{
	quantum_ask_if_lower(scheduler->processor, level);
	struct processor *other = on_the_way ? NULL : quantum_lower_nearby(scheduler, level);
	if (other) {
		share_own(scheduler); /* what it is asked for must be there */
		quantum_ask(other);
	}
}

/* A processor has nothing to do, or runs a lower task. */
READY_RARE static void publish_seen(struct scheduler *scheduler, unsigned level, bool rests)
{
	bool is_bound = scheduler->plain_queue == &scheduler->bound[level];
	bool on_the_way = is_bound || (rests && share_and_wake(scheduler, scheduler->plain_queue));
	if (quantum_has_lower(level))
		ask_lower(scheduler, level, on_the_way);
}

bool ready_is_seen(unsigned level, bool more)
{
	struct scheduler *scheduler = scheduler_current();
	chain_more(scheduler, more);
	return sees_resting_in_chain(scheduler) || quantum_has_lower(level);
}

void ready_look(struct task *ready, void *unused)
{
	(void)unused;
	publish_seen(scheduler_current(), ready->schedule.priority, wake_is_resting());
}

/* The task was put, and is not shared yet. */
READY_RARE static void publish_among_others(const struct task *task, struct scheduler *scheduler)
{
	unsigned level = task->schedule.priority;
	bool rests = sees_resting_in_chain(scheduler);
	if (__builtin_expect(rests, 0) || quantum_has_lower(level))
		publish_seen(scheduler, level, rests);
}

/* Every way but the plain one. */
__attribute__((noinline)) static void publish_full(struct task *task, struct scheduler *scheduler)
{
	unsigned level = task->schedule.priority;
	bool on_the_way;
	if (task->schedule.bound != HEDDLE_TASK_ANY_PROCESSOR) {
		publish_bound(task);
		return;
	}
	if (scheduler_policy == SCHEDULER_GLOBAL) {
		ready_global_put(task);
		on_the_way = wake_unless_arriving(wake_enough());
	} else {
		on_the_way = publish_local(scheduler, task);
	}
	if (__builtin_expect(quantum_has_lower(level), 0))
		ask_lower(scheduler, level, on_the_way);
}

void ready_publish(struct task *task)
{
	struct scheduler *scheduler = scheduler_current();
	if (__builtin_expect(!plain_put(scheduler, task), 0)) {
		publish_full(task, scheduler);
		return;
	}
	if (plain_is_seen(scheduler, task->schedule.priority))
		publish_among_others(task, scheduler);
}

static void share_alone(void *queue)
{
	if (local_queue_share(queue))
		wake_unless_arriving(1);
}

/* If nothing is there, an idle processor may have looked while the task was in our hands; the same if a block becomes
 * shared. */
static void return_local(struct local_queue *queue, struct task *left)
{
	bool seen = local_queue_has_own(queue) && local_queue_has_room(queue);
	local_queue_put(queue, left);
	if (!seen && !brisk_is(scheduler_current()) && wake_is_resting())
		arch_call_on_processor_stack(share_alone, queue);
}

void ready_return(struct task *left, void *unused)
{
	(void)unused;
	if (left->schedule.bound != HEDDLE_TASK_ANY_PROCESSOR) {
		ready_bound_put(left);
	} else if (scheduler_policy == SCHEDULER_GLOBAL) {
		ready_global_put(left);
		wake_unless_arriving(1);
	} else {
		return_local(ready_local(scheduler_current(), left), left);
	}
}

void ready_share(struct scheduler *scheduler)
{
	if (atomic_load_explicit(&scheduler->wanted, memory_order_relaxed))
		share_own(scheduler);
}

void ready_look_again(struct scheduler *scheduler)
{
	if (scheduler->relies)
		look_for_overlooked(scheduler);
}

void ready_check(struct scheduler *scheduler)
{
	if (brisk_is(scheduler))
		brisk_end(scheduler);
	ready_share(scheduler);
	ready_look_again(scheduler);
}
