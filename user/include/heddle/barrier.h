/*
 * A barrier: tasks wait until a given number of them has come, again and again.
 */
#ifndef HEDDLE_BARRIER_H
#define HEDDLE_BARRIER_H

#include "heddle/lock.h"

HEDDLE_BEGIN

struct barrier {
	struct served served;
	struct request_queue waiting;
	uint32_t parties, arrived;
};
#define HEDDLE_BARRIER_INITIALIZER(parties)        \
	{                                              \
		HEDDLE_ZEROED, HEDDLE_ZEROED, (parties), 0 \
	}

/* Wait until `parties` tasks have come. *last (may be NULL) is true for one of them. A task that gives up, on a
 * deadline or a cancellation, has not come. Where a task may give up, the barrier is not freed right after a wait: the
 * last task to come may still let the others go. HEDDLE_BAD_ARGUMENT: `parties` is 0. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error barrier_wait(struct barrier *barrier, bool *last);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error barrier_wait_until(struct barrier *barrier, bool *last,
                                                                   uint64_t deadline);

/* The same, but task_cancel() does not end the wait: it is kept for the next wait that it can end. So a task that has
 * come does not touch the barrier after all have come. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error barrier_wait_kept(struct barrier *barrier, bool *last);

/* Wait until no task touches the barrier any more, where all have come by barrier_wait_kept(): the one that lets them
 * go may still be about to leave. After that its memory may be freed, even if not all waits have returned.
 * HEDDLE_IN_USE: a task waits, and nothing was changed; HEDDLE_CANCELLED, HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error barrier_quiesce(struct barrier *barrier);

/* HEDDLE_IN_USE: a task waits; nothing was changed. */
enum heddle_error barrier_destroy(struct barrier *barrier);

HEDDLE_END

#endif
