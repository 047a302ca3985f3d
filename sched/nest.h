/*
 * Only for the baselines (sync/baseline/hand_over.h): an unlock that calls the next task in the middle of the left one,
 * as a lock does that knows no other way to hand over. This processor goes on with the left task when it next leaves a
 * task for another, before all that is ready; with the last one left so first. Nobody else can have it until then.
 * The scheduler itself never does this; it pays one comparison at a pick for it (ready_take()).
 */
#ifndef SCHED_NEST_H
#define SCHED_NEST_H

#include "sched/scheduler.h"

/* Whether a task was left so here. Owner only, like the others. */
static inline bool nest_waits(const struct scheduler *scheduler)
{
	return scheduler->nested != NULL;
}

static inline void nest_put(struct scheduler *scheduler, struct task *left)
{
	left->wait_cold.next = scheduler->nested;
	scheduler->nested = left;
}

/* There is one. */
static inline struct task *nest_take(struct scheduler *scheduler)
{
	struct task *task = scheduler->nested;
	scheduler->nested = task->wait_cold.next;
	return task;
}

#endif
