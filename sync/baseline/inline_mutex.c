#include "sync/baseline/inline_mutex.h"

#include "sync/baseline/hand_over.h"

STACK_ENTRY(inline_mutex_lock)
enum heddle_error inline_mutex_lock(struct inline_mutex *mutex)
{
	word_mutex_lock(&mutex->mutex, "inline mutex");
	return HEDDLE_OK;
}

STACK_ENTRY(inline_mutex_unlock)
enum heddle_error inline_mutex_unlock(struct inline_mutex *mutex)
{
	struct task *next = word_mutex_next(&mutex->mutex);
	if (next)
		hand_over_inline(next);
	return HEDDLE_OK;
}
