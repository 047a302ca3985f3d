/*
 * A mutex whose unlock makes the next waiter ready and goes on (exchange paper, Figure 3). The waiter holds
 * it while it is on a ready queue.
 */
#ifndef SYNC_BASELINE_DISPATCH_MUTEX_H
#define SYNC_BASELINE_DISPATCH_MUTEX_H

#include "sync/baseline/word_mutex.h"

struct dispatch_mutex {
	struct word_mutex mutex;
};

/* Both return HEDDLE_OK. */
HEDDLE_MAY_SWITCH enum heddle_error dispatch_mutex_lock(struct dispatch_mutex *mutex);
HEDDLE_MAY_WAKE enum heddle_error dispatch_mutex_unlock(struct dispatch_mutex *mutex);

#endif
