/*
 * What heddle/pthread.h calls pthread_mutex_t. Which thread holds it, Heddle's mutex knows (mutex_is_owned()); only
 * the holder uses the other fields.
 */
#ifndef POSIX_MUTEX_H
#define POSIX_MUTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/mutex.h"
#include "heddle/pthread.h"
#include "user/posix/clock.h"

#define MUTEX_DESTROYED (-1) /* in place of its kind */

struct posix_mutex {
	int kind;
	bool robust;
	bool inconsistent; /* its last holder has ended, and the present one has not repaired it, */
	bool lost;         /* a holder left it so: no thread gets it any more */
	uint32_t count;    /* how often its holder has locked it */
	struct mutex mutex;
};

_Static_assert(sizeof(struct posix_mutex) <= sizeof(pthread_mutex_t), "the public structure has room");
_Static_assert(offsetof(struct posix_mutex, kind) == offsetof(pthread_mutex_t, heddle_kind),
               "so that it is initialized");

static inline struct posix_mutex *posix_mutex_of(pthread_mutex_t *mutex)
{
	return (struct posix_mutex *)mutex;
}

/* The calling task got the mutex, `count` times, with this result. Returns POSIX's number for that. */
int posix_mutex_hold(struct posix_mutex *mutex, uint32_t count, enum heddle_error error);

#endif
