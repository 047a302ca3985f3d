/*
 * Which task runs next. Two policies behind one interface, chosen on the command line:
 *   sched=global  one lock-free queue a priority for all processors (scheduler paper, section 4.4)
 *   sched=local   a local queue a priority and processor (local_queue.h); others take blocks from it when
 *                 theirs are empty, nearest first
 * A task bound to a processor waits in that processor's own queues under either.
 *
 * Priorities are strict on one processor, but for one pick in READY_TURN_PICK, which asks another level first
 * each time: so each level that waits gets a task through in at most HEDDLE_PRIORITIES * READY_TURN_PICK picks.
 * A higher task that becomes ready has a processor asked to switch early (quantum.h). Where that comes to
 * nothing, a busy processor looks for higher tasks that are not shared by all at one other processor every
 * READY_TURN_PICK picks, each in turn: a task of higher priority waits at most that many picks times the
 * number of processors while lower ones run. Each pick comes within a quantum, where there are checks. Where there
 * are none, a processor that has not shared what it was asked for in READY_PATIENCE is interrupted: this is the only
 * interrupt of a task but that for a deadline (timer_watch.h), and code with checks never comes to it.
 *
 * Busy processors even out how many tasks of one priority wait on each (balance.h).
 *
 * | operation      | progress  | takes effect                               |
 * |----------------|-----------|--------------------------------------------|
 * | ready_publish  | lock-free | where the put to the queue does            |
 * | ready_return   | lock-free | the same                                   |
 * | ready_share    | lock-free | where local_queue_share does               |
 * | ready_take     | lock-free | where the take from the queue does         |
 * | ready_search   | lock-free | the same; nothing: queue by queue          |
 */
#ifndef SCHED_READY_H
#define SCHED_READY_H

#include <stdbool.h>

#include "sched/scheduler.h"

#define READY_CHORE_PICK 32       /* how often, in picks, timers and other sources are looked at while busy */
#define READY_PATIENCE   10000000 /* ns, until code without checks is interrupted for those behind it */
#define READY_TURN_PICK  64 /* how often the levels get their turn, and other processors are looked at */

/* Off the way of a yield or a publication, whose registers it would spill. */
#define READY_RARE __attribute__((noinline, cold))

/* sched=local: the queue of this processor that the task goes to, which is looked at from now on. Owner only. */
struct local_queue *ready_local(struct scheduler *scheduler, const struct task *task);

/* sched=local: tasks were moved in a queue of this processor past whoever looks at it (local_queue.h). Share what it
 * has of its own if a processor has nothing to do. Owner only. */
void ready_share_moved(struct scheduler *scheduler);

/* The same for one who comes to ready_share() then. Returns whether it must. */
bool ready_must_share_moved(void);

/* Called by a processor that was claimed and has found a task: wake others if more waits anywhere. What it
 * found may be another task than the one that it was woken for, and others may have relied on its coming. */
void ready_spread(void);

/* The clock as `wanted` of a scheduler has it: never 0. */
static inline uint64_t ready_now(void)
{
	return arch_clock() | 1;
}

/* sched=local: ask that processor to share what it has of its own. */
void ready_want(struct scheduler *owner);

/* sched=local: share what others have asked for. By the owner, at each pick and each check; and where it comes
 * to neither in READY_PATIENCE, by ready_interrupted(). */
void ready_share(struct scheduler *scheduler);

/* Before a processor halts: interrupt those that have not shared in READY_PATIENCE what they were asked for. Returns
 * whether the last search has seen any tasks that are not shared. */
bool ready_interrupt_owners(struct scheduler *scheduler);

/* Boot processor; once, before ready_create(). */
void ready_start(void);

/* The queues of one processor. */
void ready_create(struct scheduler *scheduler);

/* Make a task ready that was not (new, or done waiting), and wake an idle processor that can run it. Called
 * by a processor, for a task that nobody runs. */
void ready_publish(struct task *task);

/* When a task of that priority was put in its own part of the plain queue (plain.h): whether a processor has nothing to
 * do, or may run a lower task. Then ready_look() has it know, a finalizer of that task or by another. */
bool ready_is_seen(unsigned level);
void ready_look(struct task *ready, void *unused);

/* Finalizer of a yield: the left task goes behind the others. As many tasks are ready as before, and yet one
 * may have been in our hands when an idle processor last looked. Under sched=local that has asked then for
 * what is not shared (ready_share()). A shared queue cannot tell for two that put at once and one that takes,
 * so under sched=global idle processors are looked at each time: two loads where there is none. */
void ready_return(struct task *left, void *unused);

/* The next task of this processor with at least the given priority (one pick in READY_TURN_PICK: any);
 * NULL: none. Looks at this processor's queues, under sched=global at the shared ones. */
struct task *ready_take(struct scheduler *scheduler, unsigned lowest);

/* Of a local queue, where nothing is left of the oldest: what was shared, or the newest. Owner only. */
struct task *ready_take_refilled(struct scheduler *scheduler, struct local_queue *queue);

/* A task with at least the given priority, here or at any other processor, or one that was sent here with the
 * priority below that (run_next.h); NULL: none. For a processor that was asked for an early switch. */
struct task *ready_take_higher(struct scheduler *scheduler, unsigned lowest);

/* The same at the others only, nearest first; and at one of them, the next in turn, for tasks above what waits
 * here. */
struct task *ready_search_others(struct scheduler *scheduler, unsigned lowest);
struct task *ready_search_another(struct scheduler *scheduler, unsigned lowest);

/* Look everywhere, other processors included, and at timers and injected work too; NULL: there was nothing in
 * any place when it was looked at. */
struct task *ready_search(struct scheduler *scheduler);

#endif
