/*
 * A latch: a count that goes down to 0 once; tasks wait for that.
 */
#ifndef HEDDLE_LATCH_H
#define HEDDLE_LATCH_H

#include "heddle/lock.h"

HEDDLE_BEGIN

struct latch {
	struct served served;
	struct request_queue waiting;
	HEDDLE_ATOMIC(uint32_t) count;
};
#define HEDDLE_LATCH_INITIALIZER(count)       \
	{                                         \
		HEDDLE_ZEROED, HEDDLE_ZEROED, (count) \
	}

/* Subtract `count`. HEDDLE_OVERFLOW: less is left; nothing was changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error latch_count_down(struct latch *latch, uint32_t count);

/* Wait until the count is 0. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error latch_wait(struct latch *latch);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error latch_wait_until(struct latch *latch, uint64_t deadline);
bool latch_is_open(const struct latch *latch);

/* HEDDLE_IN_USE: a task waits; nothing was changed. */
enum heddle_error latch_destroy(struct latch *latch);

HEDDLE_END

#endif
