/*
 * A processor whose tasks are short is brisk: it keeps them to itself. To take a task from another processor costs both
 * more than a short task does, and a task that waits for the end of one that was taken moves along with it; to tell a
 * processor that has nothing to do of each task that becomes ready costs more as well.
 *
 * A task that lives long may make short ones again and again. Two of these would share a brisk processor for ever
 * while another has nothing to do. So a brisk processor where tasks end now and then gives one away, if another waits
 * behind it: into the slot (run_next.h) of a processor that halts, where it keeps its short tasks to itself, too. A
 * task that was left before is taken to be long-lived. The one that is given is the oldest: the tasks that it has made
 * came before it, so none of them is left here to bring it back when it waits for its end. Where no task ends, none is
 * given: they probably wait for each other.
 *
 * That tasks are short is seen by a processor that has taken some, and has nothing to do again after tasks that were
 * short on the average. For a while, that holds for it and for the one that had them (`short_until`); and for whoever
 * takes from one of these. While it holds, a processor looks at each pick that is not plain whether it is brisk: its
 * tasks are still short, and all that wait are not worth anybody's help.
 *
 *     processor: telling --brisk_pick: all that holds--> brisk
 *                brisk --brisk_pick: not so--> telling
 *                brisk --brisk_end: its task has come to a check, so it is not short, or is interrupted--> telling
 *
 * A processor with nothing to do takes nothing from a brisk one, and is told nothing: a brisk one does not look for it
 * where it puts a task (plain.h, ready_put.c), nor where it moves its tasks; nor does it offer any (balance.h). No task
 * is forgotten: the processor is telling again at its next check, or at its first pick after `brisk_until`; or else it
 * is interrupted after that time, which is one of the deadlines that are watched while any processor has nothing to do
 * (timer_watch.h). Only at such a pick is the time put off, while all that wait take less time than it takes to take
 * one. A telling processor looks for processors that rest, after the store that ends it. A processor that rests looks
 * for tasks after its announcement and arch_remote_barrier(). So it finds the task, or is seen.
 *
 * A processor may also run code without checks, which keeps others waiting for longer than is put up with elsewhere.
 * While tasks may consist of such code (ready_expects_foreign()), none is brisk.
 *
 * | operation   | progress  | takes effect                          |
 * |-------------|-----------|---------------------------------------|
 * | brisk_is    | wait-free | at its load                           |
 * | brisk_take  | wait-free | at its stores                         |
 * | brisk_judge | wait-free | at its stores                         |
 * | brisk_pick  | lock-free | owner only; as timer_watch_set() does |
 * | brisk_end   | lock-free | the same                              |
 */
#ifndef SCHED_BRISK_H
#define SCHED_BRISK_H

#include <stdbool.h>

#include "sched/scheduler.h"

static inline bool brisk_is(const struct scheduler *scheduler)
{
	return __builtin_expect(atomic_load_explicit(&scheduler->brisk_until, memory_order_relaxed) != 0, 0);
}

/* The processor has taken `count` tasks from `owner`. */
void brisk_take(struct scheduler *scheduler, struct scheduler *owner, uint64_t count);

/* The processor has nothing to do: were the tasks short that it has run since it took some? */
void brisk_judge(struct scheduler *scheduler);

/* The tasks here are known to be short, or were lately. */
void brisk_look(struct scheduler *scheduler);

/* Called at each pick that is not plain, and before a processor that had nothing to do runs a task. */
static inline void brisk_pick(struct scheduler *scheduler)
{
	/* It is never 0 while the processor is brisk. */
	if (__builtin_expect(atomic_load_explicit(&scheduler->short_until, memory_order_relaxed) != 0, 0))
		brisk_look(scheduler);
}

/* The current task has come to a check, or was interrupted. */
void brisk_end(struct scheduler *scheduler);

#endif
