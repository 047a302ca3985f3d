/*
 * What heddle/pthread.h calls pthread_mutex_t.
 */
#ifndef POSIX_MUTEX_H
#define POSIX_MUTEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heddle/mutex.h"
#include "heddle/pthread.h"
#include "user/posix/clock.h"

#define MUTEX_DESTROYED (-1) /* in place of its kind */

struct posix_mutex {
	int kind;
	bool robust;
	bool inconsistent;             /* its last holder has ended, and this one has not repaired it, */
	bool lost;                     /* nor did that one: no thread gets it any more */
	uint32_t count;                /* how often its holder has locked it */
	_Atomic(struct task *) holder; /* only the holder sets and clears it: no other task finds itself here */
	struct mutex mutex;
};

_Static_assert(sizeof(struct posix_mutex) <= sizeof(pthread_mutex_t), "the public structure has room");
_Static_assert(offsetof(struct posix_mutex, kind) == offsetof(pthread_mutex_t, heddle_kind),
               "so that it is initialized");

static inline struct posix_mutex *posix_mutex_of(pthread_mutex_t *mutex)
{
	return (struct posix_mutex *)mutex;
}

static inline bool posix_mutex_is_held(const struct posix_mutex *mutex, const struct task *task)
{
	return atomic_load_explicit(&mutex->holder, memory_order_relaxed) == task;
}

/* The task got the mutex, `count` times, with this result. Returns POSIX's number for that. */
int posix_mutex_hold(struct posix_mutex *mutex, struct task *task, uint32_t count, enum heddle_error error);

/* The holder is about to give the mutex up. */
static inline void posix_mutex_leave(struct posix_mutex *mutex)
{
	atomic_store_explicit(&mutex->holder, NULL, memory_order_relaxed);
}

#endif
