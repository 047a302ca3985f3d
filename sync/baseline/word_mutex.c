#include "sync/baseline/word_mutex.h"

#include "sync/baseline/hand_over.h"

static void finalize_word_mutex_wait(struct task *left, void *argument)
{
	struct word_mutex *mutex = argument;
	uintptr_t word = atomic_load_explicit(&mutex->word, memory_order_relaxed);
	uintptr_t replacement;
	do {
		replacement = word == WORD_MUTEX_FREE ? WORD_MUTEX_LOCKED : (uintptr_t)left;
		left->wait_cold.next = word <= WORD_MUTEX_LOCKED ? NULL : (struct task *)word;
		/* FREE -> LOCKED, acquire as in word_mutex_try; LOCKED, a waiter -> this one, release: it has left
		 * its stack, pairs with word_mutex_collect. */
	} while (!atomic_compare_exchange_weak_explicit(&mutex->word, &word, replacement, memory_order_acq_rel,
	                                                memory_order_relaxed));
	if (word == WORD_MUTEX_FREE)
		hand_over_at_once(left);
}

void word_mutex_wait(struct word_mutex *mutex, const char *kind)
{
	hand_over_await(kind, mutex, finalize_word_mutex_wait);
}

struct task *word_mutex_collect(struct word_mutex *mutex)
{
	/* A waiter -> LOCKED; acquire: pairs with finalize_word_mutex_wait. */
	uintptr_t word = atomic_exchange_explicit(&mutex->word, WORD_MUTEX_LOCKED, memory_order_acquire);
	struct task *newest = (struct task *)word, *oldest = NULL;
	while (newest) {
		struct task *older = newest->wait_cold.next;
		newest->wait_cold.next = oldest;
		oldest = newest;
		newest = older;
	}
	return oldest;
}
