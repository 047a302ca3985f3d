/*
 * A future: a value that is set once, and tasks that wait for it. Of two kinds:
 *   - one in the caller's memory, HEDDLE_FUTURE_INITIALIZER, for a known group of tasks; like a latch it may be
 * freed by its last user as soon as that one's last call has returned;
 *   - one that promise_create() makes, with two ends. The promise is for who is to set it, the future for who
 *     waits. Each end is given up once, in any order and from any task, and whoever is last gives the memory
 *     back: so neither side has to know what the other does.
 *
 *     EMPTY --future_claim--> CLAIMED --future_publish--> SET
 *     EMPTY --future_break--> CLAIMED --> BROKEN
 *
 * The first claim counts, and only it: every other one comes back with HEDDLE_ALREADY_SET, or NULL, and has
 * changed nothing. A promise that is given up without a value breaks its future: nobody waits for ever.
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

/* Bytes that a value may have. */
#define HEDDLE_FUTURE_ROOM 64

struct future {
	struct served served;
	struct request_queue waiting;
	HEDDLE_ATOMIC(uint32_t) state;
	HEDDLE_ATOMIC(uint32_t) ends; /* not given up yet; 0: it is in the caller's memory */
	void (*destroy)(void *room);  /* what becomes of a value when both ends are given up; may be NULL */
	union {
		intptr_t value;
		unsigned char room[HEDDLE_FUTURE_ROOM] __attribute__((aligned(16)));
	};
};
#define HEDDLE_FUTURE_INITIALIZER HEDDLE_ZEROED

/* Set the value. HEDDLE_ALREADY_SET; HEDDLE_NO_MEMORY: in an uncooperative section, with another processor
 * just serving a future in the caller's memory; it is claimed, and future_publish() can be tried again. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error future_set(struct future *future, intptr_t value);

/* The same in two steps, for values that are larger: where the caller alone may now write it, HEDDLE_FUTURE_ROOM
 * bytes, aligned to 16; NULL: somebody has claimed it already. Then: everybody may see it. */
void *future_claim(struct future *future);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error future_publish(struct future *future);

/* There will be no value: all who wait, and who will, get HEDDLE_BROKEN. HEDDLE_ALREADY_SET; HEDDLE_NO_MEMORY as of
 * future_set(), but that it is not claimed, and this can be tried again. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error future_break(struct future *future);

/* Wait for the value. HEDDLE_BROKEN: there will be none. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error future_wait(struct future *future);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error future_wait_until(struct future *future, uint64_t deadline);

/* After HEDDLE_OK from a wait: the value, or where it lies. */
intptr_t future_value(const struct future *future);
void *future_room(struct future *future);

/* Set or broken: a wait would not wait. */
bool future_is_set(const struct future *future);

/* Say that nobody will use it any more; one in the caller's memory. HEDDLE_IN_USE: somebody waits; nothing
 * was changed. */
enum heddle_error future_destroy(struct future *future);

/* The end that sets. */
struct promise {
	struct future *future; /* NULL: given up */
};

/* Make both ends. HEDDLE_NO_MEMORY. */
enum heddle_error promise_create(struct promise *promise, struct future **future);

/* Set the value and give the promise up. HEDDLE_ALREADY_SET: it was given up already. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error promise_set(struct promise *promise, intptr_t value);

/* Give the promise up; where no value was set, the future is broken. Once more: nothing happens. */
HEDDLE_DEEP HEDDLE_MAY_WAKE void promise_release(struct promise *promise);

/* Give the future up, set or not. HEDDLE_IN_USE: somebody waits for it; it was not given up. NULL: nothing
 * happens. */
enum heddle_error future_release(struct future *future);

HEDDLE_C_END

#endif
