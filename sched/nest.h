/*
 * Only for the baselines (sync/baseline/hand_over.h): their unlock may run the next task as a nested call would, and
 * leave its own task in the middle. This processor goes on with the left task when it next leaves a task for another,
 * before all that is ready, the last one left first. No other processor can have the left task until then. The
 * scheduler itself has no use for this; it pays one comparison a pick for it (ready_take()).
 */
#ifndef SCHED_NEST_H
#define SCHED_NEST_H

#include "sched/scheduler.h"

/* Whether a task was left so here. Owner only, like the functions below. */
static inline bool nest_waits(const struct scheduler *scheduler)
{
	return scheduler->nested != NULL;
}

static inline void nest_put(struct scheduler *scheduler, struct task *left)
{
	left->wait_cold.next = scheduler->nested;
	scheduler->nested = left;
}

/* Take the task that was left last; there is one. */
static inline struct task *nest_take(struct scheduler *scheduler)
{
	struct task *task = scheduler->nested;
	scheduler->nested = task->wait_cold.next;
	return task;
}

#endif
