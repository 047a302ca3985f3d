#include "sync/baseline/dispatch_mutex.h"

#include "sync/baseline/hand_over.h"

STACK_ENTRY(dispatch_mutex_lock)
enum heddle_error dispatch_mutex_lock(struct dispatch_mutex *mutex)
{
	word_mutex_lock(&mutex->mutex, "dispatch mutex");
	return HEDDLE_OK;
}

STACK_ENTRY(dispatch_mutex_unlock)
enum heddle_error dispatch_mutex_unlock(struct dispatch_mutex *mutex)
{
	struct task *next = word_mutex_next(&mutex->mutex);
	if (next)
		hand_over_by_dispatch(next);
	return HEDDLE_OK;
}
