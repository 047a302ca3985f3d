/*
 * The word of a mutex, and what moves it (mutex.h), but an unlock (mutex_plain.h).
 */
#ifndef SYNC_MUTEX_WORD_H
#define SYNC_MUTEX_WORD_H

#include "kernel/list.h"
#include "sync/mutex_plain.h"
#include "sync/waiter.h"

/* FREE -> LOCKED, whether PLAIN or not; acquire: what the holders before did, pairs with the release in
 * mutex_unlock_plainly and mutex_unlock_to. */
static inline bool mutex_take(struct mutex *mutex)
{
	uintptr_t word = atomic_load_explicit(&mutex->word, memory_order_relaxed);
	return mutex_word_is_free(word) &&
	       word_change(&mutex->word, word, word + MUTEX_LOCKED, memory_order_acquire);
}

/* In a finalizer: queue a waiter that is not in the queue. False: the mutex is free, or plain. */
static inline bool mutex_push(struct mutex *mutex, struct waiter *waiter)
{
	uintptr_t word = atomic_load_explicit(&mutex->word, memory_order_relaxed);
	do {
		waiter->next = mutex_word_waiter(word);
		if (__builtin_expect(!waiter->next && word != MUTEX_LOCKED, 0))
			return false;
		/* LOCKED, a waiter -> this one; release: the waiter, for mutex_take_waiters. */
	} while (!word_compare_exchange(&mutex->word, &word, (uintptr_t)waiter, memory_order_release,
	                                memory_order_relaxed));
	return true;
}

/* The stack becomes the queue, which is empty. */
static inline void mutex_take_waiters(struct mutex *mutex)
{
	/* a waiter -> LOCKED; acquire: the waiters, from mutex_push. */
	mutex->first =
	    list_reverse((struct waiter *)word_exchange(&mutex->word, MUTEX_LOCKED, memory_order_acquire));
}

static inline bool mutex_has_stack(const struct mutex *mutex)
{
	return mutex_word_waiter(atomic_load_explicit(&mutex->word, memory_order_relaxed));
}

#endif
