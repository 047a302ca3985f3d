/*
 * The exchange paper's own mutex (section 5.1): a test-and-set word around a state and the line of waiters.
 * Unlocking with a waiter exchanges to it (Figure 6).
 */
#ifndef SYNC_BASELINE_SPIN_MUTEX_H
#define SYNC_BASELINE_SPIN_MUTEX_H

#include "sync/baseline/spin.h"

struct spin_mutex {
	struct spin_word word;
	HEDDLE_ATOMIC(bool) locked; /* with the word; without it a look is a hint */
	struct task_line waiting;
};

/* Both return HEDDLE_OK. */
HEDDLE_MAY_SWITCH enum heddle_error spin_mutex_lock(struct spin_mutex *mutex);
HEDDLE_MAY_SWITCH enum heddle_error spin_mutex_unlock(struct spin_mutex *mutex);

#endif
