/*
 * The mutex that dispatch_mutex and inline_mutex share, so that only their scheduling differs from each other's and
 * from that of heddle/mutex.h. It has that mutex's protocol (sync/mutex.h), but tasks are queued themselves, as no
 * wait ends early.
 *
 *     FREE --lock--> LOCKED --unlock, none waits--> FREE
 *     LOCKED --finalizer of a lock--> the newest waiter --finalizer of a lock--> a newer one
 *     a waiter --unlock, with an empty queue: all of them go into the queue, oldest first--> LOCKED
 *
 * | operation       | together with | progress                     | takes effect                          |
 * |-----------------|---------------|------------------------------|---------------------------------------|
 * | word_mutex_lock | everything    | lock-free until it waits,    | at its CAS, or when the holder takes  |
 * |                 |               | then first in, first out     | it off the queue                      |
 * | word_mutex_next | lock          | wait-free                    | at its CAS, or when it takes the next |
 * |                 |               |                              | holder off the queue                  |
 */
#ifndef SYNC_BASELINE_WORD_MUTEX_H
#define SYNC_BASELINE_WORD_MUTEX_H

#include "heddle/lock.h"
#include "sched/trace.h"
#include "sync/exchange.h"

enum { WORD_MUTEX_FREE, WORD_MUTEX_LOCKED };

struct word_mutex {
	HEDDLE_ATOMIC(uintptr_t) word; /* free, locked, or the newest waiter; linked by wait_cold.next, */
	struct task *first;            /* as is the holder's queue of those that came before */
};

/* FREE -> LOCKED; acquire: what the holders before did, pairs with word_mutex_next. */
static inline bool word_mutex_try(struct word_mutex *mutex)
{
	uintptr_t expected = WORD_MUTEX_FREE;
	return atomic_compare_exchange_strong_explicit(&mutex->word, &expected, WORD_MUTEX_LOCKED,
	                                               memory_order_acquire, memory_order_relaxed);
}

/* Wait until the calling task holds it. */
void word_mutex_wait(struct word_mutex *mutex, const char *kind);

/* For the holder, when its queue is empty and the word has waiters: returns the oldest, with the others behind it. */
struct task *word_mutex_collect(struct word_mutex *mutex);

static inline void word_mutex_lock(struct word_mutex *mutex, const char *kind)
{
	if (!word_mutex_try(mutex))
		word_mutex_wait(mutex, kind);
	trace_acquire(kind, mutex);
	section_begin(task_current());
}

/* The holder gives the mutex to the task that is returned; NULL: no task waited, and it is free. */
static inline struct task *word_mutex_next(struct word_mutex *mutex)
{
	struct task *next = mutex->first;
	trace_release(mutex);
	section_end(task_current());
	if (!next) {
		uintptr_t expected = WORD_MUTEX_LOCKED;
		/* LOCKED -> FREE; release: pairs with word_mutex_try and the finalizer of word_mutex_wait. */
		if (atomic_compare_exchange_strong_explicit(&mutex->word, &expected, WORD_MUTEX_FREE,
		                                            memory_order_release, memory_order_relaxed))
			return NULL;
		next = word_mutex_collect(mutex);
	}
	mutex->first = next->wait_cold.next;
	return next;
}

#endif
