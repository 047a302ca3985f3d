/*
 * A wait that a thread outside the machine ends: one that is no processor, and so may touch no queue. The thread
 * hands the end in as it hands in work (injection.h), and a processor ends the wait. What the two share lies in the
 * task's memory, and must stay there until the processor has ended the wait. If a deadline or a cancellation ends it
 * first, the task either withdraws the wait before the outside has taken it, or settles it.
 *
 *     States of `late`:
 *     WAITING --accept, and the task still waits--> WAITING, the wait is over
 *     WAITING --external_wait_settle--> a ticket --accept--> over
 *     WAITING --accept, and the task goes on by itself--> ACCEPTED --external_wait_settle--> over
 *
 * | operation             | progress                         | takes effect                    |
 * |-----------------------|----------------------------------|---------------------------------|
 * | external_wait_publish | wait-free; only by the finalizer | at the waiter's own publication |
 * | external_wait_end     | lock-free; any thread, once      | as injection_submit()           |
 * | accept                | wait-free; a processor           | at wait_grant(), or the exchange|
 * | external_wait_settle  | waits for accept                 | at the exchange                 |
 */
#ifndef SCHED_EXTERNAL_WAIT_H
#define SCHED_EXTERNAL_WAIT_H

#include <stdatomic.h>

#include "sched/injection.h"
#include "sched/task.h"

struct external_wait {
	struct injection injection;
	struct task *task;
	uint64_t ticket;
	_Atomic uint64_t late;
	enum heddle_error outcome;
};

/* Called in the finalizer of a task that has begun its wait, before any thread outside may know of it. Returns the
 * ticket with which the finalizer calls wait_arm() at its end. As soon as a thread outside knows of the wait, the
 * task may go on elsewhere, and `wait` may be gone. */
uint64_t external_wait_publish(struct external_wait *wait, struct task *left);

/* What the task waits for is there, or there is an error: the task goes on with this outcome. */
void external_wait_end(struct external_wait *wait, enum heddle_error outcome);

/* The same for several waits, which a processor then ends together: gather them first, then end all if there are
 * any. */
struct external_waits {
	struct injection *newest, *oldest;
};
void external_wait_gather(struct external_waits *waits, struct external_wait *wait,
                          enum heddle_error outcome);
void external_wait_end_all(struct external_waits *waits);

/* The same by a processor, as injection_submit_here(). */
void external_wait_end_here(struct external_waits *waits);

/* Called by the task, if its wait ended otherwise and external_wait_end() is being called, or will be: wait until no
 * thread knows of `wait` any more. */
void external_wait_settle(struct external_wait *wait);

#endif
