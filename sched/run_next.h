/*
 * A processor's slot for one task that is to run there before all others of its priority: the next owner of a lock,
 * for which others wait. Any processor may put a task in. The slot's own processor takes it out. So may any other
 * that has nothing to do, or looks for higher tasks (ready.h), unless the task is bound to the slot's processor.
 *
 *     empty --run_next_publish, run_next_after_one--> a task --run_next_take, run_next_steal--> empty
 *
 * The task goes before others of its priority only every second time, and before lower ones always. Higher ones go
 * before it, and every READY_TURN_PICK picks the levels have their turn, the slot included. So the task runs in at
 * most 2 * HEDDLE_PRIORITIES * READY_TURN_PICK picks of its processor, whatever else is ready there.
 *
 * | operation          | progress  | takes effect                    |
 * |--------------------|-----------|---------------------------------|
 * | run_next_publish   | lock-free | at its CAS, or as ready_publish |
 * | run_next_after_one | lock-free | the same                        |
 * | run_next_take      | lock-free | at its CAS                      |
 * | run_next_steal     | wait-free | at its CAS                      |
 */
#ifndef SCHED_RUN_NEXT_H
#define SCHED_RUN_NEXT_H

#include "sched/scheduler.h"
#include "sched/slot.h"

/* Make a task ready on that processor, before all others of its priority there, and ask the processor for an early
 * switch. If another task is still in the slot, or this one is bound elsewhere, it is like ready_publish(). For a
 * task that others wait for, such as the next owner of a lock. */
void run_next_publish(struct task *task, unsigned index);

/* The same on the calling processor, which is not asked for an early switch: the calling task goes on, and one other
 * ready task runs before this one. */
void run_next_after_one(struct task *task);

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

/* Whether the slot holds a task that any processor may take. */
static inline bool run_next_is_free(uintptr_t word)
{
	return word != 0 && !(word & SLOT_BOUND);
}

/* Called by a processor that had nothing to do, when it has found a task: others may have to find the one in its slot.
 * They were perhaps not told when it was put there (run_next.c). */
void run_next_look(struct scheduler *scheduler);

/* Take the task out if it has at least that priority; else NULL. Only on the slot's processor. */
struct task *run_next_take(struct scheduler *scheduler, unsigned lowest);

/* Take out what was seen in another processor's slot; NULL: it is gone. */
struct task *run_next_steal(struct scheduler *victim, uintptr_t seen);

#endif
