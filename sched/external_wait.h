/*
 * A wait that a thread outside the machine ends: one that is no processor, and so may touch no queue. It hands the wait
 * in as work is handed in (injection.h), and a processor ends it. What the two share is in the memory of the task,
 * which must stay there until the processor has ended the wait: where a deadline or a cancellation came first, the task
 * either withdraws the wait from the outside before that has taken it, or settles it.
 *
 *     of `late`:
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

/* In the finalizer of a task that has begun its wait, before anybody outside may know of it: returns the ticket, with
 * which the finalizer calls wait_arm() at its end. From the moment on that somebody outside knows, the task may go on
 * elsewhere, and `wait` be gone. */
uint64_t external_wait_publish(struct external_wait *wait, struct task *left);

/* What was waited for is there, or there is an error: the task goes on with this outcome. */
void external_wait_end(struct external_wait *wait, enum heddle_error outcome);

/* The same for several, which a processor then ends at once: first gather them, then end all, if there are any. */
struct external_waits {
	struct injection *newest, *oldest;
};
void external_wait_gather(struct external_waits *waits, struct external_wait *wait,
                          enum heddle_error outcome);
void external_wait_end_all(struct external_waits *waits);

/* The same by a processor, as injection_submit_here(). */
void external_wait_end_here(struct external_waits *waits);

/* By the task, whose wait was ended otherwise while external_wait_end() was called or is about to be: wait until
 * nobody knows of `wait` any more. */
void external_wait_settle(struct external_wait *wait);

#endif
