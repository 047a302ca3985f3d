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

static void depart(struct ll_group *group)
{
	/* release: what it has read, pairs with ll_await_readers. */
	atomic_fetch_sub_explicit(&group->readers, 1, memory_order_release);
	ll_changed(&group->readers);
}

/* False: a thread holds the lock, and nothing has changed. */
static bool arrive(OOLock *lock, struct ll_group *group)
{
	/* seq_cst: before the word is looked at, pairs with take() of holders. */
	atomic_fetch_add_explicit(&group->readers, 1, memory_order_seq_cst);
	if (atomic_load_explicit(&lock->word, memory_order_seq_cst) == LL_FREE)
		return true;
	depart(group);
	return false;
}

/* seq_cst: after the word was written, pairs with arrive(); acquire: the reader has read. */
static uint32_t readers_of(struct ll_group *group)
{
	return atomic_load_explicit(&group->readers, memory_order_seq_cst);
}

bool ll_is_read(OOLock *lock)
{
	for (unsigned i = 0; i < LL_GROUPS; i++)
		if (readers_of(&lock->groups[i]))
			return true;
	return false;
}

void ll_await_readers(OOLock *lock)
{
	uint32_t readers;
	for (unsigned i = 0, turns = 0; i < LL_GROUPS; i++)
		while ((readers = readers_of(&lock->groups[i])))
			if (!ll_yield(&turns))
				ll_sleep(&lock->groups[i].readers, readers);
}

/* Where there are no readers: nothing is delegated to a thread that only reads. */
static void lock_closed(OOLock *lock)
{
	if (!ll_take(lock))
		ll_wait(lock);
	ll_set_locked(lock, ll_own_name());
}

static void unlock_closed(OOLock *lock)
{
	ll_end_locked(lock);
	/* By the reader itself. */
	if (lock->nested || qd_end(&lock->queue) != lock->queue.next)
		ll_help(lock);
	ll_release(lock);
}

void heddle_ll_rlock(OOLock *lock)
{
	if (lock->kind != MRQD_LOCK) {
		lock_closed(lock);
		return;
	}
	if (ll_is_holder(lock))
		ll_misused(lock, "a thread reads what it holds, and would wait for ever");
	struct ll_group *group = own_group(lock);
	for (unsigned turns = 0; !arrive(lock, group);) {
		if (ll_yield(&turns))
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
		unlock_closed(lock);
	else
		depart(own_group(lock));
}
