/*
 * The plain way: while one priority only has tasks ready on a processor, in its local queue, and nobody wants
 * anything of the processor, a yield takes the next task from there and puts the left one back, and looks at
 * nothing else (yield.c); so does a wait or an end, which puts nothing back; and what becomes ready goes there.
 * `plain` of the scheduler names that priority. Whoever brings anything else to be looked at sets it to
 * PLAIN_NONE afterwards; the owner sets it again when it has looked at all. At most READY_CHORE_PICK plain picks
 * follow each other, and their switches are counted when they end.
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

#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/scheduler.h"

#define PLAIN_NONE 0xff

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
	return run_next_is_set(scheduler) || scheduler->nested ||
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

/* The owner goes on with a task of that priority, and has looked at all. */
void plain_allow(struct scheduler *scheduler, unsigned level);

/* The next task, where the current one waits or ends; NULL: look at all. The switch to it is counted. */
static inline struct task *plain_take(struct scheduler *scheduler)
{
	uint32_t left = atomic_load_explicit(&scheduler->plain_left, memory_order_relaxed);
	if (left == 0 || atomic_load_explicit(&scheduler->plain, memory_order_relaxed) == PLAIN_NONE)
		return NULL;
	struct task *task = local_queue_take_own(scheduler->plain_queue);
	if (!task)
		task = ready_take_refilled(scheduler, scheduler->plain_queue);
	if (task) {
		atomic_store_explicit(&scheduler->plain_left, left - 1, memory_order_relaxed);
		scheduler->chain = 0;
	}
	return task;
}

/* Whether a task that becomes ready goes to the queue from which is taken plainly, and that has room. */
static inline bool plain_has(struct scheduler *scheduler, const struct task *task)
{
	return task->priority == atomic_load_explicit(&scheduler->plain, memory_order_relaxed) &&
	       task->bound == HEDDLE_TASK_ANY_PROCESSOR && local_queue_has_room(scheduler->plain_queue);
}

#endif
