/*
 * A condition variable: a task gives up a mutex and waits. Notifying moves waiters to their mutex's queue without
 * resuming them; if that mutex is free, one waiter gets it and is switched to (exchange paper, section 5.2). Each
 * waiter may bring a mutex of its own.
 */
#ifndef HEDDLE_CONDITION_H
#define HEDDLE_CONDITION_H

#include "heddle/mutex.h"

HEDDLE_BEGIN

struct condition {
	struct served served;
	struct request_queue waiting;
	HEDDLE_ATOMIC(uint32_t) users;  /* tasks that wait, or have given up and not left yet */
	struct request_queue quiescing; /* tasks that wait until there are none */
};
#define HEDDLE_CONDITION_INITIALIZER                   \
	{                                                  \
		HEDDLE_ZEROED, HEDDLE_ZEROED, 0, HEDDLE_ZEROED \
	}

/* Give up the mutex and wait for a notification, in one step; whatever the result, the caller holds the mutex again
 * on return. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. HEDDLE_OWNER_DIED: as mutex_lock().
 * There are no wake-ups without a notification, but another task may have been faster: test what you wait for in a
 * loop. Even if the deadline has already passed, the mutex is given up, and tasks that wait for it go first. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error condition_wait(struct condition *condition,
                                                               struct mutex *mutex);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error condition_wait_until(struct condition *condition,
                                                                     struct mutex *mutex, uint64_t deadline);

/* End the wait of the task that has waited longest, or of all. The mutex need not be held. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error condition_notify_one(struct condition *condition);
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error condition_notify_all(struct condition *condition);

/* Wait until no task touches the condition any more: one that has notified it, or has given up its wait, may still be
 * about to leave. After that its memory may be freed, even if not all waits have returned. No task may come meanwhile.
 * HEDDLE_IN_USE: a task waits for a notification, and nothing was changed; HEDDLE_CANCELLED, HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error condition_quiesce(struct condition *condition);

/* HEDDLE_IN_USE: a task waits, or has given up and not left yet; nothing was changed. */
enum heddle_error condition_destroy(struct condition *condition);

HEDDLE_END

#endif
