/*
 * Deadlines of waits: a pairing heap a processor, touched by that processor only. A wait's timer is in the
 * heap of the processor that its task left; when its time has come it ends the wait, if nothing else has, at
 * the first pick or idle wake after that, or where a slice of a quantum ends (quantum.h): at most
 * READY_CHORE_PICK switches late on a busy processor. One that runs code without checks is interrupted, if another
 * has nothing to do, which then takes the task: at most TIMER_LATE after the deadline, and as long again each time
 * that this finds the processor in the scheduler or in foreign code (timer_watch.h). Where all processors run such
 * code, and for a task that is bound to one, nothing can be done: it goes on when that comes to the scheduler.
 *
 * The task stops its timer when it goes on, perhaps on another processor: then it leaves the timer to its
 * home, which takes it out of the heap before it adds another. So what is left over is never more than was
 * once in use. `ends` tells the two which came first:
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

/* A timer for the calling task. NULL: no memory. */
struct timer *timer_make(struct task *task, uint64_t deadline);

/* One that was never started. */
void timer_discard(struct timer *timer);

/* On the processor that runs this: end the wait with this ticket when the time has come. */
void timer_start(struct timer *timer, uint64_t ticket);

/* By the task, when its wait has ended, however it did: the timer is gone. */
void timer_stop(struct timer *timer);

/* End each wait whose deadline has come. Costs two loads where nobody waits with one. */
void timer_expire(struct scheduler *scheduler);

/* The earliest deadline; UINT64_MAX: there is none. Only by the home. */
uint64_t timer_next(struct scheduler *scheduler);

/* Waits on all processors that a deadline may still end. */
uint64_t timer_count(void);
void timer_init(void);

#endif
