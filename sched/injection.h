/*
 * Work from threads that are no processor (hosted: the embedding program's): a stack of requests that any
 * thread pushes and a processor takes whole, makes tasks of and readies. A request stays its owner's memory;
 * `accepted` is called by the processor, once, with what came of it; after HEDDLE_OK the task may be done
 * already, so then it must not touch the request.
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
	task_function function;
	void *argument;
	void (*accepted)(struct injection *injection, enum heddle_error error);
};

/* Any thread, processor or not. */
void injection_submit(struct injection *injection);

/* Make tasks of what was submitted. A processor. */
void injection_accept(void);

/* While at least one source is open, "nobody can run" is no deadlock. */
void injection_open(void);
void injection_close(void);
bool injection_is_open(void);

void injection_start(void);

#endif
