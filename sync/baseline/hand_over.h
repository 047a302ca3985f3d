/*
 * The difference between the variants: how a task that was just given the lock begins to run. The unlock calls this
 * last, and touches nothing of the lock afterwards.
 */
#ifndef SYNC_BASELINE_HAND_OVER_H
#define SYNC_BASELINE_HAND_OVER_H

#include "sched/nest.h"
#include "sched/plain.h"
#include "sched/run_next.h"
#include "sched/wait.h"
#include "sync/exchange.h"

/* Whether the next may run here, and the calling task may be left. */
static inline bool hand_over_stays_here(const struct task *next)
{
	struct processor *processor = processor_current();
	return (next->schedule.bound == HEDDLE_TASK_ANY_PROCESSOR ||
	        (unsigned)next->schedule.bound == processor->index) &&
	       processor->uncooperative == 0;
}

/* The next is made ready, the unlocking task goes on. */
static inline void hand_over_by_dispatch(struct task *next)
{
	trace_grant(next);
	ready_publish(next);
}

static inline void finalize_nest(struct task *left, void *unused)
{
	(void)unused;
	nest_put(scheduler_current(), left);
	plain_forbid(scheduler_current());
}

/* The next runs here and at once. No other processor can have the unlocking task before this one goes on with it:
 * when the next task first suspends, ends, yields or spends its quantum. */
static inline void hand_over_inline(struct task *next)
{
	trace_grant(next);
	if (hand_over_stays_here(next))
		switch_to(next, finalize_nest, NULL);
	else
		ready_publish(next);
}

/* The next runs here and at once, the unlocking task is made ready. */
static inline void hand_over_by_exchange(struct task *next)
{
	trace_grant(next);
	if (hand_over_stays_here(next))
		switch_to(next, finalize_publish, NULL);
	else
		ready_publish(next);
}

/* In a finalizer: the left task already has what it wanted to wait for, and goes on as soon as possible. */
static inline void hand_over_at_once(struct task *left)
{
	trace_grant(left);
	run_next_publish(left, processor_current()->index);
}

/* The calling task waits at an object; the finalizer makes it visible to others there, or makes it go on. */
static inline void hand_over_await(const char *kind, void *object, finalizer finalize)
{
	struct task *task = task_current();
	quantum_check_cooperative(kind);
	/* Only the lock ends the wait; its word is for reports. */
	wait_begin_kept(&(struct wait_object){kind, object, NULL});
	switch_away(finalize, object);
	atomic_store_explicit(&task->wait.word, wait_word(wait_ticket(task), WAIT_DONE), memory_order_relaxed);
}

#endif
