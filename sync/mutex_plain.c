#include "sync/mutex_plain.h"

#include "arch/arch.h"
#include "kernel/alone.h"

#define NEEDED_MOST (1u << 20) /* periods */

bool mutex_is_calm(struct mutex *mutex)
{
	struct mutex_calm *calm = &mutex->calm;
	if (mutex->owner_ends || calm->needed == MUTEX_NEVER)
		return false;
	if (calm->contended != mutex->counters.contended) {
		calm->contended = mutex->counters.contended;
		calm->periods = 0;
		return false;
	}
	if (calm->periods++ < calm->needed)
		return false;
	calm->periods = 0;
	if (calm->needed < NEEDED_MOST)
		calm->needed = 2 * calm->needed + 1;
	return true;
}

void mutex_never_plain(struct mutex *mutex)
{
	if (mutex->calm.needed == MUTEX_NEVER)
		return;
	mutex->calm.needed = MUTEX_NEVER;
	uintptr_t word = atomic_load_explicit(&mutex->word, memory_order_relaxed);
	/* PLAIN | LOCKED, a mark -> LOCKED; only the holder stores it otherwise. */
	while (mutex_word_is_plain(word) && !word_compare_exchange(&mutex->word, &word, MUTEX_LOCKED,
	                                                           memory_order_relaxed, memory_order_relaxed)) {
	}
}

static uintptr_t new_mark(void)
{
	static _Atomic uintptr_t marks;
	return atomic_fetch_add_explicit(&marks, MUTEX_BITS + 1, memory_order_relaxed) | MUTEX_MARK |
	       MUTEX_LOCKED;
}

/* Leave a mark, unless there is one. Returns the mark; or the word, if the mutex is not plain. */
static uintptr_t leave_mark(struct mutex *mutex)
{
	uintptr_t word = atomic_load_explicit(&mutex->word, memory_order_relaxed), mark;
	while (word == (MUTEX_PLAIN | MUTEX_LOCKED)) {
		mark = new_mark();
		/* PLAIN | LOCKED -> the mark; the barrier orders it. */
		if (word_compare_exchange(&mutex->word, &word, mark, memory_order_relaxed, memory_order_relaxed))
			return mark;
	}
	return word;
}

bool mutex_turn(struct mutex *mutex)
{
	uintptr_t mark = leave_mark(mutex);
	if (!mutex_word_is_plain(mark))
		return true;
	if (!processor_is_alone())
		arch_remote_barrier();
	/* the mark -> LOCKED; only the CAS of a task that waits follows. */
	return atomic_load_explicit(&mutex->owner, memory_order_relaxed) &&
	       word_compare_exchange(&mutex->word, &mark, MUTEX_LOCKED, memory_order_relaxed,
	                             memory_order_relaxed);
}
