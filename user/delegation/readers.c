/* Readers of an MRQDLock, in groups so that they do not share a line. */
#include "user/delegation/lock.h"

/* Threads are spread over the groups as they come. */
static struct ll_group *own_group(OOLock *lock)
{
	static _Atomic unsigned threads;
	static _Thread_local unsigned number; /* + 1; 0: not given yet */
	if (!number)
		number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % LL_GROUPS + 1;
	return &lock->groups[number - 1];
}

static void depart(OOLock *lock, struct ll_group *group)
{
	/* seq_cst: before readers_awaited is looked at, pairs with ll_await_readers; release: what it has read. */
	atomic_fetch_sub_explicit(&group->readers, 1, memory_order_seq_cst);
	/* 1 -> 0; one of those that leave wakes the holder. */
	if (atomic_load_explicit(&lock->readers_awaited, memory_order_seq_cst) &&
	    atomic_exchange_explicit(&lock->readers_awaited, 0, memory_order_relaxed))
		ll_wake(&lock->readers_awaited);
}

/* False: a thread holds the lock, and nothing has changed. */
static bool arrive(OOLock *lock, struct ll_group *group)
{
	/* seq_cst: before the word is looked at, pairs with take() of holders. */
	atomic_fetch_add_explicit(&group->readers, 1, memory_order_seq_cst);
	if (atomic_load_explicit(&lock->word, memory_order_seq_cst) == LL_FREE)
		return true;
	depart(lock, group);
	return false;
}

bool ll_is_read(OOLock *lock)
{
	for (unsigned i = 0; i < LL_GROUPS; i++)
		/* seq_cst: after the word, or readers_awaited, was written; acquire: the reader has read. */
		if (atomic_load_explicit(&lock->groups[i].readers, memory_order_seq_cst))
			return true;
	return false;
}

void ll_await_readers(OOLock *lock)
{
	for (unsigned turns = 0; ll_is_read(lock);) {
		if (ll_spin(&turns))
			continue;
		/* 0 -> 1; seq_cst: before the groups are looked at, pairs with depart(). */
		atomic_store_explicit(&lock->readers_awaited, 1, memory_order_seq_cst);
		if (ll_is_read(lock))
			ll_sleep(&lock->readers_awaited, 1);
	}
	atomic_store_explicit(&lock->readers_awaited, 0, memory_order_relaxed);
}

void heddle_ll_rlock(OOLock *lock)
{
	if (lock->kind != MRQD_LOCK) {
		heddle_ll_lock(lock);
		return;
	}
	if (ll_is_holder(lock))
		ll_misused(lock, "a thread reads what it holds, and would wait for ever");
	struct ll_group *group = own_group(lock);
	for (unsigned turns = 0; !arrive(lock, group);) {
		if (ll_spin(&turns))
			continue;
		/* Get the lock in turn with its holders, so as not to starve. Until the reader lets it go, no writer comes
		 * in. */
		ll_hold(lock);
		atomic_fetch_add_explicit(&group->readers, 1, memory_order_relaxed);
		ll_leave(lock);
		break;
	}
}

void heddle_ll_runlock(OOLock *lock)
{
	if (lock->kind != MRQD_LOCK)
		heddle_ll_unlock(lock);
	else
		depart(lock, own_group(lock));
}
