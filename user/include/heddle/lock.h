/*
 * What the locks and their kin share. Each is zeroed memory before its first use: a static one needs no
 * set-up, any other its INITIALIZER. What is in one belongs to it; nothing but its functions touches it.
 *
 * Every function that may wait returns an error of enum heddle_error:
 *   HEDDLE_OK            it has what it waited for
 *   HEDDLE_TIMED_OUT     its deadline has passed; a deadline in the past tries once and does not wait
 *   HEDDLE_CANCELLED     task_cancel() ended the wait
 *   HEDDLE_UNCOOPERATIVE it would have had to wait in an uncooperative section
 *   HEDDLE_NO_MEMORY     there is no memory for what the wait needs: one with a deadline, or at a mutex
 *                        or a reader-writer lock
 * and in all but the first case it has changed nothing. Unlocking needs no memory, and a promise none; what else
 * gives something up needs some in an uncooperative section, if another processor serves the object:
 * HEDDLE_NO_MEMORY, nothing was given up, and it can be tried again; so this is no last call either. Where it is
 * left to that processor nobody is told of an overflow.
 *
 * A misuse is a panic that names task and lock in debug builds, and the error that the function says in
 * others.
 *
 * A lock may be freed by its last user as soon as that user's last call has returned, where each user has
 * made its last call: as a reference count tells. A call that only looks (latch_is_open(), event_is_set(),
 * semaphore_permits()), semaphore_try_acquire() and what gives something up in an uncooperative section are
 * no such last call: another processor may serve the lock still.
 */
#ifndef HEDDLE_LOCK_H
#define HEDDLE_LOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/attributes.h"
#include "heddle/task.h"

HEDDLE_BEGIN

/* A field that several processors change. C++ code never touches one. */
#ifdef __cplusplus
#	define HEDDLE_ATOMIC(type) type
#	define HEDDLE_ZEROED \
		{                 \
		}
#else
#	define HEDDLE_ATOMIC(type) _Atomic(type)
#	define HEDDLE_ZEROED \
		{                 \
			0             \
		}
#endif

#define HEDDLE_NO_DEADLINE UINT64_MAX

struct waiter;
struct request;

/* How often a lock was acquired, and how often that meant waiting. If `measured` was set before its first use, also how
 * often whoever waited got it by an exchange, not by way of a ready queue, and the longest chain of exchanges, to other
 * tasks at other locks included, that ended with this one. Exact while nobody uses the lock. */
struct lock_counters {
	uint64_t acquisitions, contended;
	HEDDLE_ATOMIC(uint64_t) exchanges;
	HEDDLE_ATOMIC(uint64_t) longest_chain;
	bool measured;
};

/* The queuing delay of a lock: how long nobody was in it although somebody was to be, from its hand-over to
 * the moment when the next holder runs. Entry i counts delays of 2^i nanoseconds or more, but less than twice
 * that. */
#define HEDDLE_LOCK_DELAYS 40
struct lock_delays {
	uint64_t counts[HEDDLE_LOCK_DELAYS];
	uint64_t handed_over; /* clock */
};

/* How a lock may be given up a moment later than its holder says (heddle/mutex.h). The holder's. */
struct deferral {
	uint32_t row;               /* sections in a row after which it was deferred, */
	uint16_t pause, next_pause; /* for so many hand-overs it is not; and after the next that is in vain */
	bool strict;                /* never */
	uint64_t deferred, retaken; /* how often it was, and how often the holder had the lock back */
};

/* State that one processor at a time serves (sync/serve.h). */
struct served {
	HEDDLE_ATOMIC(uintptr_t) word;
};

/* A first-in first-out queue of requests. */
struct request_queue {
	struct request *first, *last;
};

HEDDLE_END

#endif
