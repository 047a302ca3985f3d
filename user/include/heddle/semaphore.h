/*
 * A counting semaphore. Waiting tasks are served in the order in which they came, so small requests cannot starve a
 * large one. A release that lets several tasks go on switches to the first of them on this processor, and makes the
 * others ready (exchange paper, section 5.2).
 */
#ifndef HEDDLE_SEMAPHORE_H
#define HEDDLE_SEMAPHORE_H

#include "heddle/lock.h"

HEDDLE_BEGIN

#define HEDDLE_SEMAPHORE_MAXIMUM 0x7fffffffu

struct semaphore {
	HEDDLE_ATOMIC(uint64_t) state; /* permits, and whether a task waits */
	struct served served;
	struct request_queue waiting;
	struct lock_counters counters;
};
#define HEDDLE_SEMAPHORE_INITIALIZER(permits)                                 \
	{                                                                         \
		(uint64_t)(permits) << 1, HEDDLE_ZEROED, HEDDLE_ZEROED, HEDDLE_ZEROED \
	}

/* Take `count` permits: wait until there are that many and all earlier tasks are served. 0 takes none.
 * HEDDLE_BAD_ARGUMENT: more than HEDDLE_SEMAPHORE_MAXIMUM. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error semaphore_acquire(struct semaphore *semaphore,
                                                                  uint32_t count);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error semaphore_acquire_until(struct semaphore *semaphore,
                                                                        uint32_t count, uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY: there are fewer, or a task waits. */
enum heddle_error semaphore_try_acquire(struct semaphore *semaphore, uint32_t count);

/* Give back `count` permits. HEDDLE_OVERFLOW: there would be more than HEDDLE_SEMAPHORE_MAXIMUM; nothing was
 * changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error semaphore_release(struct semaphore *semaphore, uint32_t count);

/* The permits available now. */
uint32_t semaphore_permits(const struct semaphore *semaphore);

/* Wait until no task touches the semaphore any more: one that has released may still be about to leave, though another
 * has the permits. After that its memory may be freed. No task may come meanwhile. HEDDLE_IN_USE: a task waits, and
 * nothing was changed; HEDDLE_CANCELLED, HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error semaphore_quiesce(struct semaphore *semaphore);

/* HEDDLE_IN_USE: a task waits; nothing was changed. */
enum heddle_error semaphore_destroy(struct semaphore *semaphore);

HEDDLE_END

#endif
