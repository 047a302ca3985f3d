/*
 * Work from threads that are no processor (hosted: the embedding program's): a stack of requests that any
 * thread pushes and a processor takes whole, makes tasks of and readies. A request stays its owner's memory;
 * `accepted` is called by the processor, once, with what came of it; after HEDDLE_OK the task may be done
 * already, so then it must not touch the request. One without a function makes no task: all is done by `accepted`.
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

/* Any thread, processor or not. Several at once: linked by `next`, the newest first. */
void injection_submit(struct injection *injection);
void injection_submit_chain(struct injection *newest, struct injection *oldest);

/* The same by a processor that calls injection_accept() before it rests again: no other is woken. */
void injection_submit_here(struct injection *newest, struct injection *oldest);

/* Make tasks of what was submitted. A processor. */
void injection_accept(void);

/* Have processors call this, on their own stacks, wherever they look at what was submitted, at least every
 * READY_CHORE_PICK picks: it may submit more. NULL: nothing. */
void injection_ask(void (*ask)(void *unused));

/* While at least one source is open, "nobody can run" is no deadlock. */
void injection_open(void);
void injection_close(void);
bool injection_is_open(void);

void injection_start(void);

#endif
