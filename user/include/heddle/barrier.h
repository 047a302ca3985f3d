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
 * deadline or a cancellation, has not come. HEDDLE_BAD_ARGUMENT: `parties` is 0. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error barrier_wait(struct barrier *barrier, bool *last);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error barrier_wait_until(struct barrier *barrier, bool *last,
                                                                   uint64_t deadline);

/* HEDDLE_IN_USE: a task waits; nothing was changed. */
enum heddle_error barrier_destroy(struct barrier *barrier);

HEDDLE_END

#endif
