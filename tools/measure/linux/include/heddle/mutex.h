/*
 * Linux's mutex instead of Heddle's (user/include/heddle/mutex.h): a pthread_mutex_t of the default kind. Operations
 * that only Heddle's has are missing.
 */
#ifndef HEDDLE_MUTEX_H
#define HEDDLE_MUTEX_H

#include <pthread.h>

#include "heddle/lock.h"

/* Zeroed memory is an initialized pthread_mutex_t of glibc, as it is an initialized mutex of Heddle. */
struct mutex {
	pthread_mutex_t lock;
};
#define HEDDLE_MUTEX_INITIALIZER  \
	{                             \
		PTHREAD_MUTEX_INITIALIZER \
	}

static inline enum heddle_error mutex_lock(struct mutex *mutex)
{
	return pthread_mutex_lock(&mutex->lock) == 0 ? HEDDLE_OK : HEDDLE_RELOCKED;
}

static inline enum heddle_error mutex_unlock(struct mutex *mutex)
{
	return pthread_mutex_unlock(&mutex->lock) == 0 ? HEDDLE_OK : HEDDLE_NOT_OWNER;
}

#endif
