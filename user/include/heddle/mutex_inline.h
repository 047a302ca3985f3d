/*
 * The inline way of the mutex: a free one is locked, and one that no task waits for is unlocked, without a call, in
 * code that the plugin compiles without sanitizers or assertions. heddle/mutex.h includes this; nothing else should.
 * Everything here is private, and belongs to the library of the same version.
 *
 * Each function does all that the function of its name in sync/mutex.c does on its short way, or it has changed nothing
 * and calls one there. It does so for a mutex that is held, awaited, not the caller's newest, or to be taken back
 * (sync/deferral.h), for a task whose quantum was extended, while events are traced, and before the locks have started.
 *
 *     FREE --lock--> LOCKED --unlock, no task waits--> FREE       both wait-free, at their compare-and-exchange
 *
 * A check, so a switch, may come anywhere in between: the task is the same after it, wherever it goes on. Until a lock
 * has put the mutex into the task's list, and from when an unlock has taken it out, a check does not know of the
 * section and may switch the holder away; others then wait for it as for any holder. Only the holder touches the
 * mutex's other fields, the queue included, and that is the caller until its unlock's compare-and-exchange. A free
 * mutex may name the last holder as its owner.
 */
#ifndef HEDDLE_MUTEX_INLINE_H
#define HEDDLE_MUTEX_INLINE_H

#include "heddle/mutex.h"

HEDDLE_GLOBAL_BEGIN

/* Set before tasks run. ALONE: the machine has one processor. */
enum heddle_lock_way { HEDDLE_LOCK_CALLED, HEDDLE_LOCK_ATOMIC, HEDDLE_LOCK_ALONE };
extern uint8_t heddle_lock_way;

HEDDLE_GLOBAL_END

HEDDLE_BEGIN

/* What sync/mutex.c does where the inline way ends. */

/* The mutex could not be taken. */
HEDDLE_MAY_SWITCH enum heddle_error heddle_mutex_lock_held(struct mutex *mutex);

/* A task is the first in its queue. */
HEDDLE_MAY_WAKE enum heddle_error heddle_mutex_unlock_awaited(struct mutex *mutex);

/* Anything else. */
HEDDLE_MAY_WAKE enum heddle_error heddle_mutex_unlock_other(struct mutex *mutex);

HEDDLE_END

#include "heddle/machine/running.h"

#ifdef HEDDLE_INLINE_WAYS

HEDDLE_BEGIN

HEDDLE_INLINE_WAY struct mutex **heddle_task_held(struct task *task)
{
	return (struct mutex **)(void *)((char *)task + HEDDLE_PLACE_HELD);
}

HEDDLE_INLINE_WAY bool heddle_task_is_extended(const struct task *task)
{
	return *((const bool *)task + HEDDLE_PLACE_EXTENDED);
}

HEDDLE_INLINE_WAY bool heddle_mutex_take(struct mutex *mutex)
{
	uintptr_t *word = (uintptr_t *)&mutex->word, expected = 0;
	if (__builtin_expect(heddle_lock_way == HEDDLE_LOCK_ALONE, 0))
		return heddle_word_change_alone(word, 0, 1);
	/* FREE -> LOCKED; acquire: what the holders before did, pairs with the release in heddle_mutex_let_go() and
	 * sync/mutex.c. What the task has given is not free: it saves the attempt. */
	return __builtin_expect(heddle_lock_way == HEDDLE_LOCK_ATOMIC && heddle_running_has_given() != mutex,
	                        1) &&
	       __atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

HEDDLE_INLINE_WAY bool heddle_mutex_let_go(struct mutex *mutex)
{
	uintptr_t *word = (uintptr_t *)&mutex->word, expected = 1;
	if (__builtin_expect(heddle_lock_way == HEDDLE_LOCK_ALONE, 0))
		return heddle_word_change_alone(word, 1, 0);
	/* LOCKED -> FREE; release: what the holder did, pairs with the acquire in heddle_mutex_take() and sync/mutex.c. */
	return __builtin_expect(heddle_lock_way == HEDDLE_LOCK_ATOMIC, 1) &&
	       __atomic_compare_exchange_n(word, &expected, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

HEDDLE_INLINE_WAY enum heddle_error mutex_lock(struct mutex *mutex)
{
	if (__builtin_expect(!heddle_mutex_take(mutex), 0))
		return heddle_mutex_lock_held(mutex);
	struct task *task = heddle_running();
	struct mutex **held = heddle_task_held(task);
	__atomic_store_n((struct task **)&mutex->owner, task, __ATOMIC_RELAXED);
	mutex->held_next = *held;
	*held = mutex;
	mutex->counters.acquisitions++;
	return (enum heddle_error)mutex->owner_died;
}

HEDDLE_INLINE_WAY enum heddle_error mutex_unlock(struct mutex *mutex)
{
	if (__builtin_expect(mutex->first != NULL, 0))
		return heddle_mutex_unlock_awaited(mutex);
	struct task *task = heddle_running();
	struct mutex **held = heddle_task_held(task);
	if (__builtin_expect(*held == mutex && !heddle_task_is_extended(task), 1)) {
		*held = mutex->held_next;
		if (__builtin_expect(heddle_mutex_let_go(mutex), 1))
			return HEDDLE_OK;
		*held = mutex;
	}
	return heddle_mutex_unlock_other(mutex);
}

HEDDLE_END

#endif

#endif
