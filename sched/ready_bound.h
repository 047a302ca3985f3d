/*
 * Tasks bound to a processor wait there, under every policy. The processor puts to a local queue of which nothing is
 * shared with others, and takes from it, both by plain loads and stores; such tasks go the plain way as well (plain.h).
 * Other processors put to a lock-free queue beside it:
 *
 *     running there, or made there --ready_bound_put: there--> own --ready_bound_take--> runs there
 *     elsewhere --ready_bound_put: elsewhere--> remote --ready_bound_take: one each time--> own
 *
 * So each take brings the oldest remote task of its priority behind all own ones, and then takes the oldest own one. A
 * remote task behind k others becomes own at the take k + 1, and then waits for those that are before it; those that
 * come or yield later stay behind it. Neither kind starves.
 *
 * An idle processor that announces itself looks at `bound_remote_count` after that; who puts a remote task counts it,
 * puts it, and then looks whether the processor is idle (wake_home()). All of this is sequentially consistent, so none
 * is forgotten (idle.h). A processor that puts a task to its own queue is awake, and takes it before it rests.
 *
 * | operation        | together with    | progress  | takes effect                                              |
 * |------------------|------------------|-----------|-----------------------------------------------------------|
 * | ready_bound_put  | everything       | lock-free | there: at once; elsewhere: where queue_enqueue does       |
 * | ready_bound_take | ready_bound_put  | lock-free | at once; owner only                                       |
 */
#ifndef SCHED_READY_BOUND_H
#define SCHED_READY_BOUND_H

#include "sched/levels.h"

/* The queues of one processor. Boot processor. */
void ready_bound_create(struct scheduler *scheduler);

/* Make a bound task ready at its processor, and wake that if it is idle. */
void ready_bound_put(struct task *task);

/* The next task of that priority; NULL: none. Owner only, as is all that follows. */
struct task *ready_bound_take(struct scheduler *scheduler, unsigned level);

/* Whether others have put tasks that this processor has not seen. */
static inline bool ready_bound_has_remote(const struct scheduler *scheduler)
{
	/* seq_cst: after an announcement; pairs with the count in ready_bound_put. */
	return atomic_load_explicit(&scheduler->bound_remote_count, memory_order_seq_cst) != 0;
}

static inline bool ready_bound_waits(const struct scheduler *scheduler)
{
	return ready_bound_has_remote(scheduler) || levels_bound(scheduler) != 0;
}

/* The priorities of those that others have put. */
uint32_t ready_bound_remote_levels(struct scheduler *scheduler);

/* The priorities at which bound tasks may wait. */
static inline uint32_t ready_bound_levels(struct scheduler *scheduler)
{
	uint32_t remote = ready_bound_has_remote(scheduler) ? ready_bound_remote_levels(scheduler) : 0;
	return levels_bound(scheduler) | remote;
}

/* About how many wait at that priority, and at any that others have put. */
uint32_t ready_bound_count(const struct scheduler *scheduler, unsigned level);

#endif
