/*
 * What a task does while it waits: the back-off object of the lock-algorithms paper (Listing 2), and the
 * handshake by which it is suspended at its place and resumed there.
 *
 *     resume handle: READY_FOR_SUSPEND --finalizer of the suspending task--> the task
 *                    READY_FOR_SUSPEND, the task, AWAKE --resume_handle_resume--> KEEP_ACTIVE
 *                    READY_FOR_SUSPEND, the task, AWAKE --resume_handle_wake--> AWAKE, or READY_FOR_SUSPEND
 *                    READY_FOR_SUSPEND --the task itself, before others know its place--> AWAKE
 *                    AWAKE --the task itself, when it has yielded often enough--> READY_FOR_SUSPEND
 *
 * The one that resumes or wakes makes the task run that was there. AWAKE: the wait goes on, but the task yields and is
 * not suspended; only locks that adapt have it (awake.h).
 *
 * In the paper a place also has a flag `locked`, which ends the wait, and the handle is exchanged after that. Here
 * KEEP_ACTIVE itself ends the wait: so that exchange is the last touch of a place, which may be gone right after it.
 * And a task enters the handle only after it has left its stack, as everywhere in Heddle; if it is too late by then,
 * it has its turn at once.
 *
 * This wait ends by the handle alone: neither a deadline nor task_cancel() ends it (wait_begin_kept()).
 *
 * | operation            | together with        | progress               | takes effect             |
 * |----------------------|----------------------|------------------------|--------------------------|
 * | backoff_wait         | the other two        | wait-free, but where   | at the finalizer's CAS   |
 * |                      |                      | it suspends            |                          |
 * | resume_handle_resume | backoff_wait         | wait-free              | at its exchange          |
 * | resume_handle_wake   | backoff_wait         | wait-free              | at its exchange          |
 */
#ifndef SYNC_STRATEGY_BACKOFF_H
#define SYNC_STRATEGY_BACKOFF_H

#include "heddle/waiting.h"
#include "sched/wait.h"

enum { READY_FOR_SUSPEND, KEEP_ACTIVE, AWAKE }; /* any other value of a resume handle is the task's address */

/* How a wait went, the heaviest last. */
enum waiting_stage { WAITED_NOT, WAITED_SPINNING, WAITED_YIELDING, WAITED_SUSPENDED };

struct backoff {
	const struct wait_object *object;
	_Atomic(uintptr_t) *resume_handle; /* NULL: never suspended */
	uint32_t turns, yield_limit, suspend_limit, spin_longest;
	const atomic_bool *all_awake; /* of a queue that adapts (awake.h); NULL: of none */
	enum waiting_stage stage;
};

static inline const struct waiting_strategy *waiting_strategy_of(const struct waiting_lock *lock)
{
	return lock->strategy ? lock->strategy : &waiting_default;
}

/* `object` is for reports; like the handle, it must outlive the wait. */
void backoff_start(struct backoff *backoff, const struct waiting_strategy *strategy,
                   const struct wait_object *object, _Atomic(uintptr_t) *resume_handle);

/* Wait a little, longer each time. Then the caller looks again. */
void backoff_wait(struct backoff *backoff);

/* Leave stages out: how many turns of spinning and yields come before the suspension. */
void backoff_limit(struct backoff *backoff, uint32_t spins, uint32_t yields);

/* Let the task at a handle run while it waits: AWAKE, without being suspended; READY_FOR_SUSPEND, until it is suspended
 * again. The wait must not end meanwhile. */
void resume_handle_wake(_Atomic(uintptr_t) *resume_handle, uintptr_t state);

/* End the wait at a handle. This does not touch the handle afterwards. */
void resume_handle_resume(_Atomic(uintptr_t) *resume_handle);

static inline bool resume_handle_is_active(_Atomic(uintptr_t) *resume_handle)
{
	/* acquire: what was done before it was resumed; pairs with resume_handle_resume. */
	return atomic_load_explicit(resume_handle, memory_order_acquire) == KEEP_ACTIVE;
}

#endif
