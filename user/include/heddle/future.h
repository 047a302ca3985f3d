/*
 * A future: a value that is set once, and tasks that wait for it. There are two kinds:
 *   - HEDDLE_FUTURE_INITIALIZER: in the caller's memory, for a known group of tasks. Like a latch, it may be freed by
 *     its last user as soon as that user's last call has returned.
 *   - promise_create(): with two ends. The task that sets the value has the promise, the one that waits has the
 *     future. Each end is given up once, in any order and from any task. The last one frees the memory, so neither side
 *     needs to know what the other does.
 *
 *     EMPTY --future_claim--> CLAIMED --future_publish--> SET
 *     EMPTY --future_break--> CLAIMED --> BROKEN
 *
 * Only the first claim counts: every other one returns HEDDLE_ALREADY_SET or NULL, and has changed nothing. A promise
 * that is given up without a value breaks its future, so no task waits for ever.
 *
 * | operation                   | together with | progress                  | takes effect                 |
 * |-----------------------------|---------------|---------------------------|------------------------------|
 * | future_claim                | everything    | wait-free                 | at its CAS                   |
 * | future_publish, _set, _break| everything    | as serve() (sync/serve.h) | when its step is run         |
 * | future_wait, _wait_until    | everything    | waits for the value       | when its step is run, or the |
 * |                             |               |                           | publisher grants it          |
 * | future_is_set               | everything    | wait-free                 | at its load                  |
 * | promise_release,            | everything    | as future_break, then     | at its decrement             |
 * |   future_release            | but the same  | wait-free                 |                              |
 */
#ifndef HEDDLE_FUTURE_H
#define HEDDLE_FUTURE_H

#include "heddle/lock.h"

HEDDLE_C_BEGIN

/* The largest size of a value, in bytes. */
#define HEDDLE_FUTURE_ROOM 64

struct future {
	struct served served;
	struct request_queue waiting;
	HEDDLE_ATOMIC(uint32_t) state;
	HEDDLE_ATOMIC(uint32_t) ends; /* ends that are not given up yet; 0: it is in the caller's memory */
	void (*destroy)(void *room);  /* called for a value when both ends are given up; may be NULL */
	union {
		intptr_t value;
		unsigned char room[HEDDLE_FUTURE_ROOM] __attribute__((aligned(16)));
	};
};
#define HEDDLE_FUTURE_INITIALIZER HEDDLE_ZEROED

/* Set the value. HEDDLE_ALREADY_SET. HEDDLE_NO_MEMORY: only in an uncooperative section, if another processor is
 * serving a future in the caller's memory; the future is claimed then, and future_publish() can be tried again. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error future_set(struct future *future, intptr_t value);

/* The same in two steps, for larger values. future_claim() returns where only the caller may now write the value:
 * HEDDLE_FUTURE_ROOM bytes, aligned to 16. NULL: it is claimed already. future_publish() shows it to all. */
void *future_claim(struct future *future);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error future_publish(struct future *future);

/* There will be no value: all tasks that wait, now or later, get HEDDLE_BROKEN. HEDDLE_ALREADY_SET. HEDDLE_NO_MEMORY
 * as for future_set(), but nothing is claimed, and future_break() can be tried again. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error future_break(struct future *future);

/* Wait for the value. HEDDLE_BROKEN: there will be none. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error future_wait(struct future *future);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error future_wait_until(struct future *future, uint64_t deadline);

/* After HEDDLE_OK from a wait: the value, or where it lies. */
intptr_t future_value(const struct future *future);
void *future_room(struct future *future);

/* Set or broken: a wait would return at once. */
bool future_is_set(const struct future *future);

/* Declare that it is not used any more; for one in the caller's memory. HEDDLE_IN_USE: a task waits; nothing was
 * changed. */
enum heddle_error future_destroy(struct future *future);

/* The end that sets the value. */
struct promise {
	struct future *future; /* NULL: given up */
};

/* Make both ends. HEDDLE_NO_MEMORY. */
enum heddle_error promise_create(struct promise *promise, struct future **future);

/* Set the value and give up the promise. HEDDLE_ALREADY_SET: it was given up already. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error promise_set(struct promise *promise, intptr_t value);

/* Give up the promise; if no value was set, the future is broken. Again: no effect. */
HEDDLE_DEEP HEDDLE_MAY_WAKE void promise_release(struct promise *promise);

/* Give up the future, set or not. HEDDLE_IN_USE: a task waits for it, so it was not given up. NULL: no effect. */
enum heddle_error future_release(struct future *future);

HEDDLE_C_END

#endif
