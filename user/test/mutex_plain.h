/*
 * For tests: make a free mutex plain now, not after MUTEX_PERIOD locks without a wait (sync/mutex_plain.h). As if the
 * caller had locked and unlocked it.
 */
#ifndef USER_TEST_MUTEX_PLAIN_H
#define USER_TEST_MUTEX_PLAIN_H

#include "sync/mutex_plain.h"

static inline void make_plain(struct mutex *mutex)
{
	uintptr_t word = MUTEX_FREE;
	/* FREE -> PLAIN; as a lock and an unlock. */
	atomic_compare_exchange_strong_explicit(&mutex->word, &word, MUTEX_PLAIN, memory_order_acq_rel,
	                                        memory_order_relaxed);
}

#endif
