/*
 * A mutual exclusion lock that is handed over by exchange (exchange paper, section 5): unlocking with a
 * waiter switches to that waiter on this processor at once, and puts the unlocking task on a ready queue.
 * Waiters get it in the order in which they came. It never looks free while somebody waits.
 *
 * The switch to the waiter may come up to `defer=` (300) instructions after the unlock, at the next check of the
 * unlocking task after that, or when it leaves its processor. If it locks the mutex again before that, it holds it
 * without a switch, and the waiter stays the first: in at most `chain=` sections in a row, and within its quantum.
 * That is not done where the waiter has a deadline or another priority, nor with a mutex that is strict.
 *
 * A spent quantum does not switch its holder away: the switch comes at the unlock, or when a bounded
 * extension is spent.
 *
 * A holder that ends or faults is reported, and the next one gets the lock with HEDDLE_OWNER_DIED: it does
 * hold the lock, and what the lock protects may be half changed. So does everybody after it, until one calls
 * mutex_repair().
 */
#ifndef HEDDLE_MUTEX_H
#define HEDDLE_MUTEX_H

#include "heddle/lock.h"

HEDDLE_BEGIN

struct mutex {
	HEDDLE_ATOMIC(uintptr_t) word; /* free, locked, or the newest waiter */
	HEDDLE_ATOMIC(struct task *) owner;
	struct waiter *first;    /* the holder's: waiters in the order in which they get the lock */
	struct mutex *held_next; /* the holder's: its other mutexes */
	bool owner_died;
	bool (*owner_ends)(struct mutex *mutex); /* as mutex_release_all() (sync/mutex.h); NULL: as said above */
	struct lock_counters counters;
	struct deferral deferral;
	struct lock_delays *delays; /* where its queuing delays are counted; NULL: nowhere */
};
#define HEDDLE_MUTEX_INITIALIZER HEDDLE_ZEROED

/* Hold the mutex; HEDDLE_RELOCKED: the caller holds it already; HEDDLE_OWNER_DIED as above. */
HEDDLE_MAY_SWITCH enum heddle_error mutex_lock(struct mutex *mutex);

/* The same, waiting until `deadline` (heddle_clock()) at most. */
HEDDLE_MAY_SWITCH enum heddle_error mutex_lock_until(struct mutex *mutex, uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY: somebody holds it. */
enum heddle_error mutex_try_lock(struct mutex *mutex);

/* Give it to the first waiter, if there is one. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was
 * changed. In an uncooperative section the waiter is made ready instead of switched to. */
HEDDLE_MAY_WAKE enum heddle_error mutex_unlock(struct mutex *mutex);

/* What the mutex protects is in order again. HEDDLE_NOT_OWNER. */
enum heddle_error mutex_repair(struct mutex *mutex);

/* Hand it over at each unlock, or (the default) as said above. By its holder, or before its first use. */
void mutex_set_strict(struct mutex *mutex, bool strict);

/* Count the queuing delays of the mutex from now on; NULL: no more. By its holder. */
void mutex_measure(struct mutex *mutex, struct lock_delays *delays);

/* Say that nobody will use it any more. HEDDLE_IN_USE: somebody holds or awaits it; nothing was changed. */
enum heddle_error mutex_destroy(struct mutex *mutex);

HEDDLE_END

#endif
