#include "sync/waiter.h"

static struct pool waiter_pool;

void waiter_start(void)
{
	pool_create(&waiter_pool, "waiters", sizeof(struct waiter), NULL);
}

/* Take a place of the same use off the list, and give back those that holders have discarded. */
static struct waiter *take_abandoned(struct task *task, const void *use)
{
	struct waiter *found = NULL;
	for (struct waiter **link = &task->locks.abandoned; *link;) {
		struct waiter *waiter = *link;
		/* acquire: the holder is done with it, from waiter_grant. */
		bool discarded = atomic_load_explicit(&waiter->wait, memory_order_acquire) == WAITER_DISCARDED;
		bool wanted = !found && waiter->use == use;
		if (wanted || discarded)
			*link = waiter->next_abandoned;
		else
			link = &waiter->next_abandoned;
		if (wanted)
			found = waiter;
		else if (discarded)
			pool_give(&waiter_pool, &waiter->pooled);
	}
	return found;
}

static struct waiter *waiter_make(struct task *task)
{
	struct waiter *waiter = (struct waiter *)pool_take(&waiter_pool);
	if (waiter) {
		waiter->task = task;
		atomic_store_explicit(&waiter->wait, WAITER_DISCARDED, memory_order_relaxed);
	}
	return waiter;
}

struct waiter *waiter_take_other(struct task *task, const void *use)
{
	struct waiter *found = task->locks.abandoned ? take_abandoned(task, use) : NULL;
	if (found) {
		if (task->locks.waiter)
			pool_give(&waiter_pool, &task->locks.waiter->pooled);
		atomic_store_explicit(&found->section, NULL, memory_order_relaxed);
		return task->locks.waiter = found;
	}
	if (!task->locks.waiter)
		task->locks.waiter = waiter_make(task);
	if (task->locks.waiter)
		waiter_reset(task->locks.waiter, use);
	return task->locks.waiter;
}

void waiter_abandon(struct task *task, struct waiter *waiter)
{
	task_touch(task);
	waiter->next_abandoned = task->locks.abandoned;
	task->locks.abandoned = waiter;
	task->locks.waiter = NULL;
}

void waiter_unused(struct task *task)
{
	/* acquire: as in waiter_renew. */
	if (atomic_load_explicit(&task->locks.waiter->wait, memory_order_acquire) != WAITER_DISCARDED)
		waiter_abandon(task, task->locks.waiter);
}

/* WAIT -> DISCARDED; release: we are done with it. Fails if the task waits again, or has ended. */
static bool discard(struct waiter *waiter, uint64_t *wait)
{
	return atomic_compare_exchange_strong_explicit(&waiter->wait, wait, WAITER_DISCARDED,
	                                               memory_order_acq_rel, memory_order_acquire);
}

bool waiter_grant(struct waiter *waiter)
{
	/* acquire: pairs with waiter_renew. */
	uint64_t wait = atomic_load_explicit(&waiter->wait, memory_order_acquire);
	while (wait != WAITER_ORPHANED) {
		if (wait_grant(waiter->task, wait_ticket_of(wait), HEDDLE_OK))
			return true;
		if (discard(waiter, &wait))
			return false;
	}
	pool_give(&waiter_pool, &waiter->pooled);
	return false;
}

bool waiter_is_gone(struct waiter *waiter)
{
	/* acquire: pairs with waiter_renew. */
	uint64_t wait = atomic_load_explicit(&waiter->wait, memory_order_acquire);
	while (wait != WAITER_ORPHANED) {
		if (!wait_has_ended(waiter->task, wait_ticket_of(wait)))
			return false;
		if (discard(waiter, &wait))
			return true;
	}
	pool_give(&waiter_pool, &waiter->pooled);
	return true;
}

struct waiter *waiter_at(uint32_t number)
{
	return number ? (struct waiter *)pool_at(&waiter_pool, number - 1) : NULL;
}

void waiter_forget(struct task *task)
{
	while (task->locks.abandoned) {
		struct waiter *waiter = task->locks.abandoned;
		task->locks.abandoned = waiter->next_abandoned;
		/* acquire: as in waiter_renew. */
		uint64_t wait = atomic_load_explicit(&waiter->wait, memory_order_acquire);
		/* WAIT -> ORPHANED: the holder gives it back; DISCARDED: we do. acquire: from waiter_grant. */
		if (wait == WAITER_DISCARDED ||
		    !atomic_compare_exchange_strong_explicit(&waiter->wait, &wait, WAITER_ORPHANED,
		                                             memory_order_acq_rel, memory_order_acquire))
			pool_give(&waiter_pool, &waiter->pooled);
	}
}
