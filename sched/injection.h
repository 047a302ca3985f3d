/*
 * Work from threads that are no processor (hosted: the embedding program's). Any thread pushes requests to a stack; a
 * processor takes the whole stack, makes tasks of the requests and makes these ready. A request stays its owner's
 * memory. The processor calls `accepted` once, with the outcome. After HEDDLE_OK the task may have ended already, so
 * then `accepted` must not touch the request. A request without a function makes no task: `accepted` does everything.
 *
 * | operation         | progress  | takes effect          |
 * |-------------------|-----------|-----------------------|
 * | injection_submit  | lock-free | at its CAS            |
 * | injection_accept  | wait-free | at its exchange       |
 */
#ifndef SCHED_INJECTION_H
#define SCHED_INJECTION_H

#include <stdbool.h>

#include "heddle/task.h"

struct injection {
	struct injection *next;
	task_function function; /* may be NULL */
	void *argument;
	void (*accepted)(struct injection *injection, enum heddle_error error);
};

/* Any thread, processor or not. Several together: linked by `next`, the newest first. */
void injection_submit(struct injection *injection);
void injection_submit_chain(struct injection *newest, struct injection *oldest);

/* The same by a processor that calls injection_accept() before it rests again: this wakes no other. */
void injection_submit_here(struct injection *newest, struct injection *oldest);

/* Make tasks of what was submitted. Called by a processor. */
void injection_accept(void);

/* Have processors call this, on their own stacks, wherever they look for submitted work, at least every
 * READY_CHORE_PICK picks. It may submit more. NULL: nothing. */
void injection_ask(void (*ask)(void *unused));

/* While at least one source is open, it is no deadlock if no task can run. */
void injection_open(void);
void injection_close(void);
bool injection_is_open(void);

void injection_start(void);

#endif
