/*
 * The plain way is a short cut for the common case: only one priority has tasks ready on a processor, they wait in
 * one queue, its local one or that of tasks bound to it (ready_bound.h), and no other processor wants anything of it.
 * Then a yield takes the next task from there, puts the left one back, and looks at nothing else (yield.c). A wait or
 * an end takes the next task likewise, even if the left task has other ties, and puts nothing back; an exchange takes
 * nothing. A task that becomes ready goes to that queue.
 *
 * `plain` of the scheduler holds the ties of the tasks that may go this way: that priority, bound to no processor or
 * all to this one, nothing to be kept over a switch. What brings anything else to be looked at sets it to PLAIN_NONE
 * afterwards; the owner sets it again when it has looked at everything. At most READY_CHORE_PICK plain picks follow
 * each other, and their switches are counted when they end. While a task is owed (owed.h), none is granted.
 *
 * | operation    | together with | progress  | takes effect                                                   |
 * |--------------|---------------|-----------|----------------------------------------------------------------|
 * | plain_forbid | everything    | wait-free | at its store; a yield that is under way still goes its way     |
 * | plain_allow  | plain_forbid  | wait-free | at its exchange, unless something is to be looked at by then   |
 * | plain_settle | plain_forbid  | wait-free | owner only                                                     |
 * | plain_take   | plain_forbid  | wait-free | owner only; it may still go its way, as a yield                |
 * | plain_put    | plain_forbid  | wait-free | the same                                                       |
 * | plain_refill | plain_forbid  | lock-free | where local_queue_take does                                    |
 */
#ifndef SCHED_PLAIN_H
#define SCHED_PLAIN_H

#include "sched/nest.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/scheduler.h"
#include "sched/wake.h"

/* The ties of no task. */
#define PLAIN_NONE UINT64_MAX

static inline uint64_t plain_ties(unsigned level)
{
	return task_ties_word(HEDDLE_TASK_ANY_PROCESSOR, level);
}

/* The priority in these ties, which are not PLAIN_NONE. */
static inline unsigned plain_level(uint64_t ties)
{
	return (union task_ties){.word = ties}.priority;
}

static inline bool plain_is_of(const struct scheduler *scheduler, const struct task *task)
{
	return task->schedule.ties.word == atomic_load_explicit(&scheduler->plain, memory_order_relaxed);
}

/* The caller has stored what is to be looked at, by an operation that orders at least as release does. */
static inline void plain_forbid(struct scheduler *scheduler)
{
	/* Usually it is PLAIN_NONE already, and the line stays where it is. release: after what is to be looked at; pairs
	 * with the exchange in plain_allow. */
	if (atomic_load_explicit(&scheduler->plain, memory_order_relaxed) != PLAIN_NONE)
		atomic_store_explicit(&scheduler->plain, PLAIN_NONE, memory_order_release);
}

/* Whether anything waits here outside the queues of the processor's own, or each pick may find a task to give away
 * (brisk.h). */
static inline bool plain_is_wrong(struct scheduler *scheduler)
{
	return run_next_is_set(scheduler) || nest_waits(scheduler) || scheduler->give_picks > 0 ||
	       atomic_load_explicit(&scheduler->wanted, memory_order_relaxed) ||
	       atomic_load_explicit(&scheduler->bound_remote_count, memory_order_relaxed);
}

/* Everything was looked at: `count` plain picks may follow. */
static inline void plain_grant(struct scheduler *scheduler, uint32_t count)
{
	atomic_store_explicit(&scheduler->plain_left, count, memory_order_relaxed);
	atomic_store_explicit(&scheduler->plain_granted, count, memory_order_relaxed);
}

/* Count the plain yields since the last time. */
static inline void plain_settle(struct scheduler *scheduler)
{
	uint32_t done = atomic_load_explicit(&scheduler->plain_granted, memory_order_relaxed) -
	                atomic_load_explicit(&scheduler->plain_left, memory_order_relaxed);
	counter_add(&scheduler->counters.switches, done);
	scheduler->picks += done;
	plain_grant(scheduler, 0);
}

/* Nothing is owed: grant as many as come before the next chores. */
static inline void plain_renew(struct scheduler *scheduler)
{
	plain_grant(scheduler, READY_CHORE_PICK - 1 - scheduler->picks % READY_CHORE_PICK);
}

/* Called by the owner when it goes on with a task of that priority and has looked at everything. */
void plain_allow(struct scheduler *scheduler, unsigned level);

/* How many plain picks may follow when the current task, `left`, yields; 0: none. */
__attribute__((always_inline)) static inline uint32_t plain_more(const struct scheduler *scheduler,
                                                                 const struct task *left)
{
	if (__builtin_expect(!plain_is_of(scheduler, left), 0))
		return 0;
	return atomic_load_explicit(&scheduler->plain_left, memory_order_relaxed);
}

/* The same when the current task waits or ends, whatever its own ties: it goes to no queue. */
static inline uint32_t plain_more_for_others(const struct scheduler *scheduler)
{
	uint32_t more = atomic_load_explicit(&scheduler->plain_left, memory_order_relaxed);
	uint64_t ties = atomic_load_explicit(&scheduler->plain, memory_order_relaxed);
	return __builtin_expect(ties != PLAIN_NONE, 1) ? more : 0;
}

/* Count a plain pick. */
static inline void plain_count(struct scheduler *scheduler, uint32_t more)
{
	atomic_store_explicit(&scheduler->plain_left, more - 1, memory_order_relaxed);
	scheduler->chain = (struct chain){0};
}

/* Take the next task when the current one, `left`, waits or ends; NULL: it is not at hand, or is not like `left`.
 * Counts the switch. */
__attribute__((always_inline)) static inline struct task *plain_take(struct scheduler *scheduler,
                                                                     const struct task *left)
{
	uint64_t ties = atomic_load_explicit(&scheduler->plain, memory_order_relaxed);
	if (__builtin_expect(left->schedule.ties.word != ties, 0))
		return NULL;
	uint32_t more = atomic_load_explicit(&scheduler->plain_left, memory_order_relaxed);
	if (__builtin_expect(more == 0, 0))
		return NULL;
	struct task *task = local_queue_own(scheduler->plain_queue);
	if (!task || __builtin_expect(task->schedule.ties.word != ties, 0))
		return NULL;
	local_queue_take_oldest(scheduler->plain_queue, task);
	plain_count(scheduler, more);
	return task;
}

/* The same for any task of the plain queue, at hand or not; NULL: look at everything. */
static inline struct task *plain_take_any(struct scheduler *scheduler)
{
	uint32_t more = plain_more_for_others(scheduler);
	struct task *task = more ? local_queue_take_own(scheduler->plain_queue) : NULL;
	if (more && !task)
		task = ready_take_refilled(scheduler, scheduler->plain_queue);
	if (task)
		plain_count(scheduler, more);
	return task;
}

/* If the plain queue's oldest are used up: make others the oldest, as local_queue_refill() does, for plain_take().
 * False: the caller looks at everything. If others have to see what was moved, the plain way is forbidden, and the
 * caller calls ready_share(). */
bool plain_refill(struct scheduler *scheduler);

/* plain_refill(), then plain_take(). NULL: as where that is false. */
struct task *plain_take_refilled(struct scheduler *scheduler, const struct task *left);

/* Put a task that becomes ready into the plain queue, where no other processor can take it before the next look; false:
 * it may not go there, or would fill a block. Then look (plain_is_seen()). */
static inline bool plain_put(const struct scheduler *scheduler, struct task *task)
{
	return __builtin_expect(plain_is_of(scheduler, task), 1) &&
	       local_queue_try_append(scheduler->plain_queue, task);
}

/* A task of that priority was put there: whether a processor has nothing to do, or may run a lower task, and must be
 * told (ready.h). */
static inline bool plain_is_seen(const struct scheduler *scheduler, unsigned level)
{
	return scheduler->plain_looks && (wake_is_resting() || quantum_has_lower(level));
}

#endif
