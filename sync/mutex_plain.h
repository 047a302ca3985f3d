/*
 * A mutex for which no task waits is unlocked by a plain store. An atomic operation takes some 5 ns on a machine with
 * several processors, and a mutex that is not contended needs two: that of the unlock only finds out that nobody
 * waits. Here a task that begins to wait pays for this instead, and it has the time.
 *
 * A mutex is PLAIN after MUTEX_PERIOD locks in a row without a wait, and until a task has to wait for it. No task is
 * queued while it is: the unlock's store would overwrite it. So that task's finalizer first turns the mutex back:
 *
 *     FREE --lock--> LOCKED --unlock--> FREE
 *                           --unlock, no wait for long--> PLAIN
 *     PLAIN --lock--> PLAIN | LOCKED --unlock: owner = NULL, look at the word, store it--> PLAIN
 *                                    --mutex_turn: leave a mark--> the mark
 *     the mark --mutex_turn: after arch_remote_barrier() there is an owner--> LOCKED
 *              --unlock: has looked before, and stores--> PLAIN
 *              --unlock: sees the mark--> FREE
 *
 * The holder stores `owner` before it looks at the word. If there is an owner after the barrier, the holder will look
 * at the word later, and see the mark. If there is none, it may have looked before, and be about to store: then the
 * task tries again when others have run. Each mark is used once. So a mark that is still there after the barrier was
 * there all the time: the holder is the same, and nobody has stored. It does not matter who left the mark: all that see
 * one can turn it.
 *
 * To turn the mutex takes some microseconds. So the more often it was plain, the more locks without a wait it needs
 * until it is plain again. A mutex to whose queue others add tasks is never plain: one that was used with a condition,
 * or those of a delegation lock.
 *
 * | operation    | progress                                              | takes effect |
 * |--------------|-------------------------------------------------------|--------------|
 * | mutex_unlock | wait-free                                             | at its store |
 * |   _plainly   |                                                       |              |
 * | mutex_turn   | lock-free; fails only where a holder is between two   | at its CAS   |
 * |              | of its steps: just after a lock, or before its store  |              |
 */
#ifndef SYNC_MUTEX_PLAIN_H
#define SYNC_MUTEX_PLAIN_H

#include "heddle/mutex.h"
#include "kernel/alone.h"

enum { MUTEX_FREE, MUTEX_LOCKED, MUTEX_PLAIN, MUTEX_MARK = 4, MUTEX_BITS = 7 };

#define MUTEX_PERIOD 64 /* locks; a power of two */
#define MUTEX_NEVER  UINT32_MAX

/* Whether a task may lock the mutex. */
static inline bool mutex_word_is_free(uintptr_t word)
{
	return (word & ~(uintptr_t)MUTEX_PLAIN) == 0;
}

/* Whether tasks must not wait before the mutex was turned. */
static inline bool mutex_word_is_plain(uintptr_t word)
{
	return (word & MUTEX_LOCKED) && word != MUTEX_LOCKED;
}

/* The newest waiter; NULL: none. */
static inline struct waiter *mutex_word_waiter(uintptr_t word)
{
	return word & MUTEX_BITS ? NULL : (struct waiter *)word;
}

/* By the holder, which has stored NULL in `owner`: unlock the mutex. False: it is not plain, or a mark was left. */
static inline bool mutex_unlock_plainly(struct mutex *mutex)
{
	/* The owner was stored, for mutex_turn. */
	atomic_signal_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&mutex->word, memory_order_relaxed) != (MUTEX_PLAIN | MUTEX_LOCKED))
		return false;
	/* PLAIN | LOCKED, a mark that was left since -> PLAIN; release: what the holder did, pairs with mutex_take. */
	atomic_store_explicit(&mutex->word, MUTEX_PLAIN, memory_order_release);
	return true;
}

/* By the holder: unlock a mutex whose queue is empty, and that is plain from now on, or not. False: tasks wait. */
static inline bool mutex_unlock_to(struct mutex *mutex, uintptr_t changed)
{
	uintptr_t word = MUTEX_LOCKED;
	do {
		/* LOCKED, PLAIN | LOCKED, a mark -> FREE, PLAIN; release: as above. */
		if (word_compare_exchange(&mutex->word, &word, changed, memory_order_release, memory_order_relaxed))
			return true;
	} while (word & MUTEX_LOCKED);
	return false;
}

/* By the holder: whether to call mutex_is_calm(). */
static inline bool mutex_is_due(const struct mutex *mutex)
{
	return mutex->counters.acquisitions % MUTEX_PERIOD == MUTEX_PERIOD - 1;
}

/* By the holder of a mutex that is due, and has no queue: whether the mutex is to be plain when it is unlocked. */
bool mutex_is_calm(struct mutex *mutex);

/* By the holder, which does not unlock it: it is not plain, from now on. */
void mutex_never_plain(struct mutex *mutex);

/* Try to turn a plain mutex, so that tasks can wait for it. May take some microseconds. False: its holder may be about
 * to store; try again, after others have run here. */
bool mutex_turn(struct mutex *mutex);

#endif
