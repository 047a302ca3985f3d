/*
 * What is set and asked of a mutex besides locking it.
 */
#include "sync/exchange.h"
#include "sync/mutex.h"

void mutex_set_strict(struct mutex *mutex, bool strict)
{
	if (mutex->deferral.strict && !strict)
		mutex->deferral.pause = 0;
	mutex->deferral.strict = strict;
}

void mutex_measure(struct mutex *mutex, struct lock_delays *delays)
{
	mutex->delays = delays;
	mutex->counters.measured |= delays != NULL;
}

enum heddle_error mutex_destroy(struct mutex *mutex)
{
	/* acquire: what the last holder did. */
	if (!mutex_word_is_free(atomic_load_explicit(&mutex->word, memory_order_acquire)))
		return lock_misused("mutex_destroy()", mutex_kind, mutex, HEDDLE_IN_USE);
	return HEDDLE_OK;
}
