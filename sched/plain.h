/*
 * The plain way: while one priority only has tasks ready on a processor, in its local queue, and nobody wants
 * anything of the processor, a yield takes the next task from there and puts the left one back, and looks at
 * nothing else (yield.c); so does a wait or an end, also of a task of other ties, which puts nothing back, and an
 * exchange, which takes nothing;
 * and what becomes ready goes there. `plain` of the scheduler has the ties of the tasks that go so: that priority, to
 * no processor, and nothing to be kept over a switch. Whoever brings anything else to be looked at sets it to
 * PLAIN_NONE afterwards; the owner sets it again when it has looked at all. At most READY_CHORE_PICK plain picks
 * follow each other, and their switches are counted when they end. While a task is owed (owed.h) none is granted.
 *
 * | operation    | together with | progress  | takes effect                                                   |
 * |--------------|---------------|-----------|----------------------------------------------------------------|
 * | plain_forbid | everything    | wait-free | at its store; a yield that is under way still goes its way     |
 * | plain_allow  | plain_forbid  | wait-free | at its exchange, unless something is to be looked at by then   |
 * | plain_settle | plain_forbid  | wait-free | owner only                                                     |
 * | plain_take   | plain_forbid  | wait-free | owner only; it may still go its way, as a yield                |
 * | plain_has    | plain_forbid  | wait-free | the same                                                       |
 */
#ifndef SCHED_PLAIN_H
#define SCHED_PLAIN_H

#include "sched/nest.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/scheduler.h"

/* The ties of no task. */
#define PLAIN_NONE UINT64_MAX

static inline uint64_t plain_ties(unsigned level)
{
	return (union task_ties){.bound = HEDDLE_TASK_ANY_PROCESSOR, .priority = (uint8_t)level}.word;
}

/* The priority of those that have these, which are not PLAIN_NONE. */
static inline unsigned plain_level(uint64_t ties)
{
	return (union task_ties){.word = ties}.priority;
}

static inline bool plain_is_of(const struct scheduler *scheduler, const struct task *task)
{
	return task->schedule.ties.word == atomic_load_explicit(&scheduler->plain, memory_order_relaxed);
}

/* What is to be looked at was stored before, by an operation that orders at least as release does. */
static inline void plain_forbid(struct scheduler *scheduler)
{
	/* Mostly it is so already: that leaves the line where it is. release: after what is to be looked at; pairs
	 * with the exchange in plain_allow. */
	if (atomic_load_explicit(&scheduler->plain, memory_order_relaxed) != PLAIN_NONE)
		atomic_store_explicit(&scheduler->plain, PLAIN_NONE, memory_order_release);
}

/* Whether anything waits here that is not in a local queue. */
static inline bool plain_is_wrong(struct scheduler *scheduler)
{
	return run_next_is_set(scheduler) || nest_waits(scheduler) ||
	       atomic_load_explicit(&scheduler->wanted, memory_order_relaxed) ||
	       atomic_load_explicit(&scheduler->bound_count, memory_order_relaxed);
}

/* All was looked at: so many plain yields may follow. */
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

/* Nothing is owed: as many may follow as come before the next chores. */
static inline void plain_renew(struct scheduler *scheduler)
{
	plain_grant(scheduler, READY_CHORE_PICK - 1 - scheduler->picks % READY_CHORE_PICK);
}

/* The owner goes on with a task of that priority, and has looked at all. */
void plain_allow(struct scheduler *scheduler, unsigned level);

/* How many plain picks may follow, where the current task, `left`, yields; 0: none. */
static inline uint32_t plain_more(const struct scheduler *scheduler, const struct task *left)
{
	uint32_t more = atomic_load_explicit(&scheduler->plain_left, memory_order_relaxed);
	return __builtin_expect(plain_is_of(scheduler, left), 1) ? more : 0;
}

/* The same where the current task waits or ends, whatever its own ties: it goes nowhere. */
static inline uint32_t plain_more_for_others(const struct scheduler *scheduler)
{
	uint32_t more = atomic_load_explicit(&scheduler->plain_left, memory_order_relaxed);
	uint64_t ties = atomic_load_explicit(&scheduler->plain, memory_order_relaxed);
	return __builtin_expect(ties != PLAIN_NONE, 1) ? more : 0;
}

/* There was one. */
static inline void plain_count(struct scheduler *scheduler, uint32_t more)
{
	atomic_store_explicit(&scheduler->plain_left, more - 1, memory_order_relaxed);
	scheduler->chain = (struct chain){0};
}

/* The next task, where the current one waits or ends, if it is at hand; NULL: it is not. Its switch is counted. */
static inline struct task *plain_take(struct scheduler *scheduler)
{
	uint32_t more = plain_more_for_others(scheduler);
	struct task *task = NULL;
	if (__builtin_expect(more != 0, 1) && (task = local_queue_take_own(scheduler->plain_queue)))
		plain_count(scheduler, more);
	return task;
}

/* The same, where it is not at hand; NULL: look at all. */
static inline struct task *plain_take_refilled(struct scheduler *scheduler)
{
	uint32_t more = plain_more_for_others(scheduler);
	struct task *task = more ? ready_take_refilled(scheduler, scheduler->plain_queue) : NULL;
	if (task)
		plain_count(scheduler, more);
	return task;
}

/* Whether a task that becomes ready goes to the queue from which is taken plainly, and that has room. */
static inline bool plain_has(struct scheduler *scheduler, const struct task *task)
{
	return plain_is_of(scheduler, task) && local_queue_has_room(scheduler->plain_queue);
}

#endif
