/*
 * What locks and everything else that tasks wait for share. Each is zeroed memory before its first use: a static one
 * needs no set-up, any other needs its INITIALIZER. The fields are private: only its functions touch them.
 *
 * Every function that may wait returns an error of enum heddle_error:
 *   HEDDLE_OK            it has what it waited for
 *   HEDDLE_TIMED_OUT     its deadline has passed. First it looks, then at the deadline: with one in the past it tries
 *                        once and does not wait, so what is there is had
 *   HEDDLE_CANCELLED     task_cancel() ended the wait
 *   HEDDLE_UNCOOPERATIVE it would have to wait in an uncooperative section
 *   HEDDLE_NO_MEMORY     there is no memory for the wait: only with a deadline, or for a mutex
 *                        or a reader-writer lock
 * After any of these errors nothing has changed. Unlocking needs no memory, and neither does a
 * promise. Other calls that give something up need some in an uncooperative section, if another processor is serving
 * the object. HEDDLE_NO_MEMORY then means that nothing was given up, and that the call can be tried again. So it is
 * no last call either (see below). If the other processor does it instead, no caller learns of an overflow.
 *
 * A misuse is a panic in debug builds, which names task and lock; in others it is the error that the function
 * documents.
 *
 * The last user of a lock may free it as soon as its last call has returned, if every other user has made its last
 * call, which a reference count can tell. A call is made when it has ended a wait, or let another go on under the lock:
 * so count before an unlock, or in a delegated section. Any other call, and a wait that a deadline or a cancellation
 * may end, is made when it has returned, also at a barrier that all have come to. Some calls cannot be a last call
 * before all others have returned, since another processor may still serve the lock after them: calls that only look
 * (latch_is_open(), event_is_set(), semaphore_permits()), semaphore_try_acquire(), a call that was refused or has given
 * up, giving something up in an uncooperative section, and delegating (heddle/qd_lock.h): the helper of the section may
 * hold the lock still.
 */
#ifndef HEDDLE_LOCK_H
#define HEDDLE_LOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/attributes.h"
#include "heddle/task.h"

HEDDLE_BEGIN

/* A field that several processors change. C++ code never touches it. */
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

/* How often a lock was acquired, and how often after a wait. If `measured` was set before its first use, also how
 * often a waiting task got it by an exchange, not by way of a ready queue, and the longest chain of exchanges that
 * led to this lock, those at other locks included. Exact while the lock is not in use. */
struct lock_counters {
	HEDDLE_ATOMIC(uint64_t) exchanges;
	HEDDLE_ATOMIC(uint64_t) longest_chain;
	uint64_t acquisitions, contended;
	bool measured;
};

/* The queuing delays of a lock: how long it had no holder although a task waited, from its hand-over until the next
 * holder runs. Entry i counts delays of at least 2^i and less than 2^(i+1) nanoseconds. */
#define HEDDLE_LOCK_DELAYS 40
struct lock_delays {
	uint64_t counts[HEDDLE_LOCK_DELAYS];
	uint64_t handed_over; /* time of the last hand-over */
};

/* How unlocking may be deferred (heddle/mutex.h). Only the holder uses it. */
struct deferral {
	uint32_t row; /* consecutive sections with a deferred unlock */
	uint16_t pause,
	    next_pause; /* hand-overs without deferring: now, and after the next one that was in vain */
	bool strict;    /* never defer */
	uint64_t deferred,
	    retaken; /* how often an unlock was deferred, and how often the holder retook the lock */
};

/* State that is served by one processor at a time (sync/serve.h). */
struct served {
	HEDDLE_ATOMIC(uintptr_t) word;
};

/* A first-in first-out queue of requests. */
struct request_queue {
	struct request *first, *last;
};

HEDDLE_END

#endif
