/*
 * Which task runs next. Two policies behind one interface, chosen on the command line:
 *   sched=global  one lock-free queue a priority for all processors (scheduler paper, section 4.4)
 *   sched=local   a local queue a priority and processor (local_queue.h); others take blocks from it when
 *                 theirs are empty, nearest first, but not from one that is brisk (brisk.h)
 * A task bound to a processor waits in that processor's own queues under either.
 *
 * Priorities are strict on one processor, except for one pick in READY_TURN_PICK, which asks another level first each
 * time: so each level that waits gets a task through in at most HEDDLE_PRIORITIES * READY_TURN_PICK picks. When a
 * task of higher priority becomes ready, a processor is asked for an early switch (quantum.h). In case that has no
 * effect, a busy processor looks every READY_TURN_PICK picks for higher tasks that are not shared, at one other
 * processor, each in turn. So a task of higher priority waits at most that many picks times the number of processors
 * while lower ones run. Each pick comes within a quantum if there are checks. If there are none, a processor that has
 * not shared in READY_PATIENCE what it was asked for is interrupted. Among tasks that were compiled without checks this
 * is the usual case, and READY_PATIENCE_FOREIGN is enough. This is the only interrupt of a task, except for that of a
 * deadline (timer_watch.h); code with checks is never interrupted.
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

/* The same where tasks are made by code that has no checks. */
#define READY_PATIENCE_FOREIGN 50000

/* Kept out of line: inline it would make a yield or a publication spill registers. */
#define READY_RARE __attribute__((noinline, cold))

/* sched=local: the queue of this processor for the task; from now on it is searched. Owner only. */
struct local_queue *ready_local(struct scheduler *scheduler, const struct task *task);

/* sched=local: tasks of this processor were moved in a way that a search may miss (local_queue.h). Share what the
 * processor has of its own if another has nothing to do. Owner only. */
void ready_share_moved(struct scheduler *scheduler);

/* The same for a caller that then calls ready_share(). Returns whether it must. */
bool ready_must_share_moved(void);

/* Called by a processor that was claimed and has found a task: wake others if more waits anywhere. What it found may
 * be another task than the one for which it was woken, and others may have relied on it. */
void ready_spread(void);

/* The time as the scheduler's `wanted` holds it: never 0. */
static inline uint64_t ready_now(void)
{
	return arch_clock() | 1;
}

/* The patience of this machine. */
extern _Atomic uint64_t ready_patience;

/* Whether tasks may run code without checks, so that a processor may not look at anything for long. */
static inline bool ready_expects_foreign(void)
{
	return atomic_load_explicit(&ready_patience, memory_order_relaxed) == READY_PATIENCE_FOREIGN;
}

/* A task was made by code that was compiled without checks, as its own may be. */
static inline void ready_expect_foreign(void)
{
	if (!ready_expects_foreign())
		atomic_store_explicit(&ready_patience, READY_PATIENCE_FOREIGN, memory_order_relaxed);
}

/* sched=local: ask that processor to share its own tasks. */
void ready_want(struct scheduler *owner);

/* sched=local: share what others have asked for. Called by the owner at each pick and each check; and by
 * ready_interrupted(), if it comes to neither in time. */
void ready_share(struct scheduler *scheduler);

/* sched=local: if it was left to another to find what was shared, look whether any is left, and wake others; if it was
 * left to the next hand-over of a lock to share some, share them. Called by the owner at each check, and at each pick
 * when it has its task. */
void ready_look_again(struct scheduler *scheduler);

/* Both, at a check or where a task is interrupted; and the processor is no longer brisk. */
void ready_check(struct scheduler *scheduler);

/* Whether other processors may run what the calling task waits for, and this one has no other task to run. So the task
 * may keep looking for a while: if it is suspended, the processor halts, and it takes longer until the task goes on. */
bool ready_is_alone(void);

/* Before a processor halts: interrupt the processors that have not shared in time what they were asked for. Returns
 * whether the last search has seen unshared tasks. */
bool ready_interrupt_owners(struct scheduler *scheduler);

/* Boot processor; once, before ready_create(). */
void ready_start(void);

/* The queues of one processor. */
void ready_create(struct scheduler *scheduler);

/* Make a task ready that was not (new, or done waiting), and wake an idle processor that can run it. Called by a
 * processor, for a task that runs nowhere. */
void ready_publish(struct task *task);

/* An exchange has put a task of that priority in the processor's own part of the plain queue (plain.h); `more`: others
 * wait for the lock that was handed over. Whether a processor has nothing to do, or may run a lower task. Then
 * ready_look(), as the finalizer of that task or for another one, tells that processor. */
bool ready_is_seen(unsigned level, bool more);
void ready_look(struct task *ready, void *unused);

/* Finalizer of a yield: the left task goes behind the others. As many tasks are ready as before, but one of them may
 * have been in our hands when an idle processor last looked. Under sched=local that processor has then asked for
 * unshared tasks (ready_share()). A shared queue cannot tell if two processors put at once while one takes, so under
 * sched=global this looks for idle processors each time: two loads if there is none. */
void ready_return(struct task *left, void *unused);

/* The priorities at which something may wait here, what was sent here (run_next.h) included. Owner only. */
uint32_t ready_levels(struct scheduler *scheduler);

/* The next task of this processor with at least the given priority (one pick in READY_TURN_PICK: any);
 * NULL: none. Looks at this processor's queues, under sched=global at the shared ones. */
struct task *ready_take(struct scheduler *scheduler, unsigned lowest);

/* Take from a local queue whose oldest are used up: from what is shared, or the newest. Owner only. */
struct task *ready_take_refilled(struct scheduler *scheduler, struct local_queue *queue);

/* A task with at least the given priority, here or at any other processor, or one of the priority below that was sent
 * here (run_next.h); NULL: none. For a processor that was asked for an early switch. */
struct task *ready_take_higher(struct scheduler *scheduler, unsigned lowest);

/* The same at the others only, nearest first. And at one of them, each in turn, for tasks above what waits here. */
struct task *ready_search_others(struct scheduler *scheduler, unsigned lowest);
struct task *ready_search_another(struct scheduler *scheduler, unsigned lowest);

/* Look everywhere, at other processors, timers and submitted work too; NULL: each place was empty when it was looked
 * at. */
struct task *ready_search(struct scheduler *scheduler);

#endif
