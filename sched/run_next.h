/*
 * A processor's slot for one task that is to run there before all others of its priority: the next owner of a
 * lock, that others wait for. Any processor puts one in. Its own takes it out; and so does any other that has
 * nothing to do, or looks for higher tasks (ready.h), unless the task is bound to the slot's processor.
 *
 *     empty --run_next_publish--> a task --run_next_take, run_next_steal--> empty
 *
 * It goes before others of its priority every second time only, and before lower ones always. Higher ones go
 * before it, and every READY_TURN_PICK picks the levels have their turn, the slot as well: in at most
 * 2 * HEDDLE_PRIORITIES * READY_TURN_PICK picks of its processor the task runs, whatever else is ready there.
 *
 * | operation        | progress  | takes effect                    |
 * |------------------|-----------|---------------------------------|
 * | run_next_publish | lock-free | at its CAS, or as ready_publish |
 * | run_next_take    | lock-free | at its CAS                      |
 * | run_next_steal   | wait-free | at its CAS                      |
 */
#ifndef SCHED_RUN_NEXT_H
#define SCHED_RUN_NEXT_H

#include "sched/scheduler.h"
#include "sched/slot.h"

/* Make a task ready on that processor, before all others of its priority there, and ask it for an early
 * switch; where another one was sent there so and has not run yet, or the task is bound elsewhere, as
 * ready_publish(). For a task that others wait for, as the next owner of a lock. */
void run_next_publish(struct task *task, unsigned index);

/* What is in the slot, 0: nothing. Outdated at once, unless all others are quiet. */
static inline uintptr_t run_next_word(const struct scheduler *scheduler)
{
	/* seq_cst: after an announcement; pairs with run_next_publish. */
	return atomic_load_explicit(&scheduler->run_next, memory_order_seq_cst);
}

static inline bool run_next_is_set(const struct scheduler *scheduler)
{
	return run_next_word(scheduler) != 0;
}

/* Whether there is one, which any processor may have. */
static inline bool run_next_is_free(uintptr_t word)
{
	return word != 0 && !(word & SLOT_BOUND);
}

/* Take it out if it has at least that priority; else NULL. Only on its processor. */
struct task *run_next_take(struct scheduler *scheduler, unsigned lowest);

/* Take out what was seen in another processor's slot; NULL: it is not there any more. */
struct task *run_next_steal(struct scheduler *victim, uintptr_t seen);

#endif
