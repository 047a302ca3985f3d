/*
 * Deadlines of waits: each processor has a pairing heap that only it touches. A wait's timer is in the heap of the
 * processor that its task left. When the time has come, the timer ends the wait, if nothing else has, at the
 * processor's next pick or idle wake, or at the end of a slice of a quantum (quantum.h): at most READY_CHORE_PICK
 * switches late on a busy processor. If the processor runs code without checks, another that has nothing to do
 * interrupts it and takes the task: at most TIMER_LATE after the deadline, and as long again each time that the
 * interrupt finds the processor in the scheduler or in foreign code (timer_watch.h). If all processors run such code,
 * or the task is bound to one that does, it goes on only when that processor comes to the scheduler.
 *
 * The task stops its timer when it goes on. If it goes on at another processor, it leaves the timer to its home,
 * which takes it out of the heap before it adds another. So no more timers are left over than were once in use.
 * `ends` tells the two which came first:
 *     0 --home: time has come--> FIRED --task: timer_stop--> (given back)
 *     0 --task: timer_stop--> STOPPED, in the home's box --home: emptied--> (given back)
 *
 * | operation    | together with | progress  | takes effect                                       |
 * |--------------|---------------|-----------|----------------------------------------------------|
 * | timer_start  | timer_stop    | wait-free | at once; only by the home                          |
 * | timer_stop   | everything    | lock-free | at the exchange of `ends`                          |
 * | timer_expire | timer_stop    | wait-free | at the wait's CAS (wait.h); only by the home       |
 */
#ifndef SCHED_TIMER_H
#define SCHED_TIMER_H

#include <stdint.h>

#include "sched/scheduler.h"

#define TIMER_LATE 1000000 /* nanoseconds */

struct timer {
	struct pool_object pooled;
	struct task *task;
	uint64_t ticket, deadline;
	struct scheduler *home;
	struct timer *child, *sibling; /* in the heap */
	struct timer *previous;        /* the sibling before, or the parent of the first child */
	struct timer *stopped_next;    /* in the box */
	_Atomic uint32_t ends;
};

/* Make a timer for the calling task. NULL: no memory. */
struct timer *timer_make(struct task *task, uint64_t deadline);

/* Give back one that was never started. */
void timer_discard(struct timer *timer);

/* On the calling processor: end the wait with this ticket when the time has come. */
void timer_start(struct timer *timer, uint64_t ticket);

/* Called by the task when its wait has ended, in whatever way: the timer is gone. */
void timer_stop(struct timer *timer);

/* End each wait whose deadline has come. Costs two loads when no task waits with a deadline. */
void timer_expire(struct scheduler *scheduler);

/* The earliest deadline; UINT64_MAX: there is none. Only by the home. */
uint64_t timer_next(struct scheduler *scheduler);

/* The earlier of that and of the time until which the processor is brisk (brisk.h): when another must look at it. */
uint64_t timer_watched(struct scheduler *scheduler);

/* The deadlines of the calling processor, or the time until which it is brisk, have changed: let a watcher know. */
void timer_let_watch(struct scheduler *scheduler);

/* The number of waits on all processors that a deadline may still end. */
uint64_t timer_count(void);
void timer_init(void);

#endif
