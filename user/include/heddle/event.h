/*
 * An event: tasks wait until it is set. It stays set until it is reset.
 */
#ifndef HEDDLE_EVENT_H
#define HEDDLE_EVENT_H

#include "heddle/lock.h"

HEDDLE_BEGIN

struct event {
	struct served served;
	struct request_queue waiting;
	HEDDLE_ATOMIC(bool) set;
};
#define HEDDLE_EVENT_INITIALIZER        \
	{                                   \
		HEDDLE_ZEROED, HEDDLE_ZEROED, 0 \
	}

HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error event_set(struct event *event);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error event_reset(struct event *event);
bool event_is_set(const struct event *event);

HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error event_wait(struct event *event);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error event_wait_until(struct event *event, uint64_t deadline);

/* HEDDLE_IN_USE: a task waits; nothing was changed. */
enum heddle_error event_destroy(struct event *event);

HEDDLE_END

#endif
