/*
 * A counting semaphore. Waiters are served in the order in which they came, so that a large request is not
 * starved by small ones. A release that lets several go switches to the first of them on this processor and
 * makes the others ready (exchange paper, section 5.2).
 */
#ifndef HEDDLE_SEMAPHORE_H
#define HEDDLE_SEMAPHORE_H

#include "heddle/lock.h"

HEDDLE_BEGIN

#define HEDDLE_SEMAPHORE_MAXIMUM 0x3fffffffu

struct semaphore {
	HEDDLE_ATOMIC(uint64_t) state; /* permits, and whether somebody waits */
	struct served served;
	struct request_queue waiting;
	struct lock_counters counters;
};
#define HEDDLE_SEMAPHORE_INITIALIZER(permits)                                 \
	{                                                                         \
		(uint64_t)(permits) << 1, HEDDLE_ZEROED, HEDDLE_ZEROED, HEDDLE_ZEROED \
	}

/* Take `count` permits, waiting until there are so many and all who came before are served. None for 0.
 * HEDDLE_BAD_ARGUMENT: more than HEDDLE_SEMAPHORE_MAXIMUM. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error semaphore_acquire(struct semaphore *semaphore,
                                                                  uint32_t count);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error semaphore_acquire_until(struct semaphore *semaphore,
                                                                        uint32_t count, uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY: there are not so many, or somebody waits. */
enum heddle_error semaphore_try_acquire(struct semaphore *semaphore, uint32_t count);

/* Give back `count` permits. HEDDLE_OVERFLOW: there would be more than HEDDLE_SEMAPHORE_MAXIMUM; nothing was
 * changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error semaphore_release(struct semaphore *semaphore, uint32_t count);

/* Permits that are there now. */
uint32_t semaphore_permits(const struct semaphore *semaphore);

/* HEDDLE_IN_USE: somebody waits; nothing was changed. */
enum heddle_error semaphore_destroy(struct semaphore *semaphore);

HEDDLE_END

#endif
