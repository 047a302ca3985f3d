/*
 * A condition that tasks wait for while they give a mutex up. Notifying moves waiters to their mutex's queue
 * without resuming them; where that mutex is free, one gets it and is switched to (exchange paper, section
 * 5.2). Each waiter may come with a mutex of its own.
 */
#ifndef HEDDLE_CONDITION_H
#define HEDDLE_CONDITION_H

#include "heddle/mutex.h"

HEDDLE_BEGIN

struct condition {
	struct served served;
	struct request_queue waiting;
	HEDDLE_ATOMIC(bool) waited; /* somebody is in the queue */
};
#define HEDDLE_CONDITION_INITIALIZER        \
	{                                       \
		HEDDLE_ZEROED, HEDDLE_ZEROED, false \
	}

/* Give the mutex up and wait for a notification, in one step; hold the mutex again before returning, whatever
 * is returned. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. HEDDLE_OWNER_DIED: as
 * mutex_lock(). Wake-ups without a notification do not occur, but another task may have been faster: look at
 * what is waited for in a loop. A deadline that has passed gives the mutex up as well: others that wait for it go
 * first. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error condition_wait(struct condition *condition,
                                                               struct mutex *mutex);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error condition_wait_until(struct condition *condition,
                                                                     struct mutex *mutex, uint64_t deadline);

/* End the wait of the one that has waited longest, or of all. Need not be called with the mutex held. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error condition_notify_one(struct condition *condition);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error condition_notify_all(struct condition *condition);

/* HEDDLE_IN_USE: somebody waits; nothing was changed. */
enum heddle_error condition_destroy(struct condition *condition);

HEDDLE_END

#endif
