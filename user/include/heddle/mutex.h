/*
 * A mutual exclusion lock that is handed over by exchange (exchange paper, section 5): an unlock with a waiter
 * switches at once to that waiter on this processor, and puts the unlocking task on a ready queue. Waiters get the
 * lock in the order in which they came. It never looks free while a task waits.
 *
 * The switch to the waiter may be deferred: until the unlocking task's next check after `defer=` (300) instructions,
 * or until it leaves its processor. If it locks the mutex again before that, it keeps it without a switch, and the
 * waiter stays first. This is limited to `chain=` sections in a row, and to the task's quantum. Nothing is deferred
 * if the waiter has a deadline or another priority, or if the mutex is strict.
 *
 * A mutex for which no task has waited for long is unlocked without an atomic operation. The next task that does wait
 * pays for that, with some microseconds.
 *
 * A spent quantum does not switch the holder away: the switch comes at the unlock, or when a bounded extension is
 * spent.
 *
 * If a holder ends or faults, that is reported, and the next task gets the lock with HEDDLE_OWNER_DIED: it holds the
 * lock, but the protected data may be half changed. So does every later one, until one calls mutex_repair().
 */
#ifndef HEDDLE_MUTEX_H
#define HEDDLE_MUTEX_H

#include "heddle/lock.h"

HEDDLE_BEGIN

/* Whether a mutex is unlocked by a plain store (sync/mutex_plain.h). Only the holder uses it. */
struct mutex_calm {
	uint64_t contended;       /* its counter at the last look */
	uint32_t periods, needed; /* without a wait: how many there were, and after how many more it is plain */
};

struct mutex {
	HEDDLE_ATOMIC(uintptr_t) word;           /* free, locked, or the newest waiter */
	bool (*owner_ends)(struct mutex *mutex); /* for mutex_release_all() (sync/mutex.h); NULL: as above */
	struct lock_delays *delays;              /* counts queuing delays; NULL: nothing does */
	struct mutex_calm calm;
	/* What the holder uses in each section is on another cache line than `word`, which each task writes that comes;
	 * so the holder does not wait for those. */
	uint64_t apart;
	struct lock_counters counters;
	HEDDLE_ATOMIC(struct task *) owner;
	struct waiter *first;    /* the holder's: waiters in the order in which they get the lock */
	struct mutex *held_next; /* the holder's: its other mutexes */
	uint8_t owner_died;      /* what locking returns: HEDDLE_OK, or HEDDLE_OWNER_DIED until it is repaired */
	struct deferral deferral;
};
#define HEDDLE_MUTEX_INITIALIZER HEDDLE_ZEROED

/* Hold the mutex; HEDDLE_RELOCKED: the caller holds it already; HEDDLE_OWNER_DIED as above. */
HEDDLE_MAY_SWITCH enum heddle_error mutex_lock(struct mutex *mutex);

/* The same, waiting until `deadline` (heddle_clock()) at most. */
HEDDLE_MAY_SWITCH enum heddle_error mutex_lock_until(struct mutex *mutex, uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY: it is held. */
enum heddle_error mutex_try_lock(struct mutex *mutex);

/* Give it to the first waiter, if there is one. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed.
 * In an uncooperative section the waiter is made ready, not switched to. */
HEDDLE_MAY_WAKE enum heddle_error mutex_unlock(struct mutex *mutex);

/* Whether the caller holds it. Takes time in proportion to the mutexes that the caller has locked since. */
bool mutex_is_owned(const struct mutex *mutex);

/* The protected data is in order again. HEDDLE_NOT_OWNER. */
enum heddle_error mutex_repair(struct mutex *mutex);

/* Hand over at each unlock; false (the default): defer as described above. By its holder, or before its first use. */
void mutex_set_strict(struct mutex *mutex, bool strict);

/* Count the queuing delays of the mutex from now on; NULL: stop. By its holder. */
void mutex_measure(struct mutex *mutex, struct lock_delays *delays);

/* Declare that it is not used any more. HEDDLE_IN_USE: it is held or awaited; nothing was changed. */
enum heddle_error mutex_destroy(struct mutex *mutex);

HEDDLE_END

#endif
