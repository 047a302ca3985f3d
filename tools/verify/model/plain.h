/*
 * For cases of a mutex that is plain at first (sync/mutex_plain.h): those that are compiled with
 * MUTEX_AT_FIRST=MUTEX_PLAIN. Then the owner decides what others do, and the counters when the mutex is plain again.
 */
#ifndef MODEL_PLAIN_H
#define MODEL_PLAIN_H

#include "explorer.h"

#include "sync/mutex_plain.h"

#ifndef MUTEX_AT_FIRST
#	define MUTEX_AT_FIRST MUTEX_FREE
#endif

/* In the set-up. */
static inline void plain_prepare(struct mutex *mutex)
{
	mutex->word = MUTEX_AT_FIRST;
	if (MUTEX_AT_FIRST == MUTEX_FREE) {
		explore_ignore(&mutex->owner, sizeof mutex->owner);
		explore_ignore(&mutex->counters, sizeof mutex->counters);
	} else {
		explore_stores_are_steps(); /* mutex_turn() waits for stores */
	}
}

/* Whether it may help to call mutex_turn() again. */
AS_MEMORY_IS static inline bool plain_has_changed(void *plain)
{
	const struct mutex *mutex = plain;
	return mutex->owner || !mutex_word_is_plain(mutex->word);
}

#endif
