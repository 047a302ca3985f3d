/*
 * A mutex whose unlock runs the next waiter, as a nested call would, and goes on when that leaves the
 * processor for the first time (exchange paper, Figure 2).
 */
#ifndef SYNC_BASELINE_INLINE_MUTEX_H
#define SYNC_BASELINE_INLINE_MUTEX_H

#include "sync/baseline/word_mutex.h"

struct inline_mutex {
	struct word_mutex mutex;
};

/* Both return HEDDLE_OK. */
HEDDLE_MAY_SWITCH enum heddle_error inline_mutex_lock(struct inline_mutex *mutex);
HEDDLE_MAY_SWITCH enum heddle_error inline_mutex_unlock(struct inline_mutex *mutex);

#endif
