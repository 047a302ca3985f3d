/*
 * Linux's condition instead of Heddle's (user/include/heddle/condition.h): a pthread_cond_t. Its waiters may wake up
 * without a notification, which the loop around condition_wait() allows anyway.
 */
#ifndef HEDDLE_CONDITION_H
#define HEDDLE_CONDITION_H

#include "heddle/mutex.h"

/* Zeroed memory is an initialized pthread_cond_t of glibc. */
struct condition {
	pthread_cond_t variable;
};
#define HEDDLE_CONDITION_INITIALIZER \
	{                                \
		PTHREAD_COND_INITIALIZER     \
	}

static inline enum heddle_error condition_wait(struct condition *condition, struct mutex *mutex)
{
	return pthread_cond_wait(&condition->variable, &mutex->lock) == 0 ? HEDDLE_OK : HEDDLE_NOT_OWNER;
}

static inline enum heddle_error condition_notify_one(struct condition *condition)
{
	pthread_cond_signal(&condition->variable);
	return HEDDLE_OK;
}

static inline enum heddle_error condition_notify_all(struct condition *condition)
{
	pthread_cond_broadcast(&condition->variable);
	return HEDDLE_OK;
}

#endif
