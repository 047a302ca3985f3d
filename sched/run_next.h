/*
 * A processor's slot for one task that is to run there before all others of its priority: the next owner of a
 * lock, that others wait for. Any processor puts one in, the owner takes it out; every second pick looks at
 * the others first.
 *
 * | operation           | together with | progress  | takes effect                   |
 * |---------------------|---------------|-----------|--------------------------------|
 * | run_next_publish    | everything    | lock-free | at its CAS, or as ready_publish|
 * | run_next_take,      | everything    | wait-free | at its store                   |
 * |   run_next_take_    |               |           |                                |
 * |   first             |               |           |                                |
 */
#ifndef SCHED_RUN_NEXT_H
#define SCHED_RUN_NEXT_H

#include "sched/scheduler.h"

/* Make a task ready on that processor, before all others of its priority there, and ask it for an early
 * switch; where another one was sent there so and has not run yet, or the task is bound elsewhere, as
 * ready_publish(). For a task that others wait for, as the next owner of a lock. Every second pick looks at
 * the others first. */
void run_next_publish(struct task *task, unsigned index);

static inline bool run_next_is_set(const struct scheduler *scheduler)
{
	/* seq_cst: after an announcement; pairs with run_next_publish. */
	return atomic_load_explicit(&scheduler->run_next, memory_order_seq_cst);
}

/* Take it out if it has at least that priority; else NULL. Only on its processor, and so is the next. */
struct task *run_next_take(struct scheduler *scheduler, unsigned lowest);

/* The same unless the last pick was so, or a higher one is ready here. */
struct task *run_next_take_first(struct scheduler *scheduler, unsigned lowest);

#endif
