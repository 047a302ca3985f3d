/* The tasks that wait for a reader-writer lock, and how they are let in. */
#include "sync/reader_writer_lock.h"

#include "kernel/list.h"

/* Whether tasks wait on the stack or in the queue; while one serves, only the stack counts. */
static bool is_awaited(uint64_t state)
{
	return (state & QUEUED) || state >> NEWEST_SHIFT;
}

static uint64_t begin_serving(uint64_t state)
{
	return (state & ~QUEUED) | SERVED;
}

static uint64_t reader_writer_queue_load(const struct reader_writer_lock *lock)
{
	return atomic_load_explicit(&lock->state, memory_order_relaxed);
}

static bool reader_writer_queue_is_writer(const struct reader_writer_lock *lock, const struct waiter *waiter)
{
	return waiter->use == reader_writer_use(lock, true);
}

static uint64_t share_of(bool writes)
{
	return writes ? WRITTEN : READER;
}

/* ----------------------------------------------------------------------------------------------- wait -- */

bool reader_writer_take_or_push(struct reader_writer_lock *lock, struct waiter *waiter, uint64_t ticket)
{
	if (waiter_renew(waiter, ticket))
		return false;
	bool writes = reader_writer_queue_is_writer(lock, waiter), open;
	uint64_t state = reader_writer_queue_load(lock), changed;
	do {
		open = reader_writer_is_open(state, writes);
		waiter->next = waiter_at(state >> NEWEST_SHIFT);
		changed = open ? state + share_of(writes)
		               : (state & UINT32_MAX) | (uint64_t)waiter_number(waiter) << NEWEST_SHIFT;
		/* open -> a share more, acquire: as in reader_writer_lock.c; closed -> a newer waiter, release: it,
		 * for reader_writer_queue_collect. */
	} while (!atomic_compare_exchange_weak_explicit(&lock->state, &state, changed, memory_order_acq_rel,
	                                                memory_order_relaxed));
	return open;
}

/* ---------------------------------------------------------------------------------------------- serve -- */

/* Append the stack, which is newest first, to the queue, oldest first. Returns the state then. */
static uint64_t reader_writer_queue_collect(struct reader_writer_lock *lock)
{
	/* a waiter -> none, AGAIN -> not; acquire: the waiters, from reader_writer_take_or_push, and that a wait
	 * has ended, from reader_writer_look_again. */
	uint64_t state = atomic_fetch_and_explicit(&lock->state, UINT32_MAX & ~AGAIN, memory_order_acq_rel);
	struct waiter *last = waiter_at(state >> NEWEST_SHIFT), *oldest = list_reverse(last);
	if (!lock->first)
		lock->first = oldest;
	else if (oldest)
		lock->last->next = oldest;
	if (oldest)
		lock->last = last;
	return state & UINT32_MAX & ~AGAIN;
}

/* Returns the share of the task that was let in; 0: it has given up. */
static uint64_t let_in_first(struct reader_writer_lock *lock, bool writes, struct granted *granted)
{
	struct waiter *first = lock->first;
	struct task *task = first->task;
	lock->first = first->next;
	if (writes)
		reader_writer_set_writer(lock, task);
	if (waiter_grant(first)) {
		lock->counters.contended++;
		lock->counters.acquisitions += !writes;
		granted_add(granted, task);
		return share_of(writes);
	}
	if (writes)
		reader_writer_set_writer(lock, NULL);
	return 0;
}

/* Let tasks in, in order: a writer alone, readers together. Returns the shares of those that were let in, beside
 * those that are `taken`. */
static uint64_t reader_writer_queue_let_in(struct reader_writer_lock *lock, uint64_t taken,
                                           struct granted *granted)
{
	uint64_t shares = 0;
	while (lock->first && !((taken + shares) & WRITTEN)) {
		struct waiter *first = lock->first, *next = first->next;
		bool writes = reader_writer_queue_is_writer(lock, first);
		if (!writes || taken + shares == 0)
			shares += let_in_first(lock, writes, granted);
		else if (waiter_is_gone(first))
			lock->first = next;
		else
			break;
	}
	return shares;
}

/* Whether the task that serves has dealt with everything; it has looked when the state was `seen`. */
static bool reader_writer_queue_is_done(uint64_t state, uint64_t seen, uint64_t shares, bool queued)
{
	return (shares & WRITTEN) ||
	       (!(state & AGAIN) && (state & READERS) == (seen & READERS) && (queued || !is_awaited(state)));
}

/* SERVED -> not, and the shares of those that were let in; false: there is more to do. */
static bool reader_writer_queue_leave(struct reader_writer_lock *lock, uint64_t *state, uint64_t shares)
{
	uint64_t seen = *state, changed;
	bool queued = lock->first;
	do {
		if (!reader_writer_queue_is_done(*state, seen, shares, queued))
			return false;
		changed = (*state & ~(SERVED | AGAIN)) + shares + (queued ? QUEUED : 0);
		/* release: what was done to the lock; acquire: what the readers did that have left, from
		 * reader_writer_give. */
	} while (!atomic_compare_exchange_weak_explicit(&lock->state, state, changed, memory_order_acq_rel,
	                                                memory_order_acquire));
	return true;
}

/* Let in the next, and leave; the caller has set SERVED in `state`. */
static void serve_lock(struct reader_writer_lock *lock, uint64_t state, struct granted *granted)
{
	uint64_t shares = 0;
	do {
		if ((state & AGAIN) || (!lock->first && is_awaited(state)))
			state = reader_writer_queue_collect(lock);
		shares += reader_writer_queue_let_in(lock, (state & READERS) + shares, granted);
	} while (!reader_writer_queue_leave(lock, &state, shares));
}

void reader_writer_look_again(struct reader_writer_lock *lock)
{
	struct granted granted = {0};
	uint64_t state = reader_writer_queue_load(lock), changed;
	do {
		changed = state | (state & SERVED ? AGAIN : 0);
		if (!(state & (SERVED | WRITTEN)) && is_awaited(state))
			changed = begin_serving(state);
		/* READER... -> and SERVED; SERVED -> and AGAIN; release, even if nothing changes: our wait has ended, pairs
		 * with the next to serve; acquire: as in give. */
	} while (!atomic_compare_exchange_weak_explicit(&lock->state, &state, changed, memory_order_acq_rel,
	                                                memory_order_relaxed));
	if (!(changed & ~state & SERVED))
		return;
	serve_lock(lock, changed, &granted);
	granted_publish(&granted);
}

void reader_writer_give(struct reader_writer_lock *lock, uint64_t share, struct granted *granted)
{
	uint64_t state = reader_writer_queue_load(lock), changed;
	do {
		changed = state - share;
		if (!(changed & (READERS | SERVED)) && is_awaited(changed))
			changed = begin_serving(changed);
		/* a share less; the last of them -> 0, SERVED; release: what was done under it, pairs with take,
		 * reader_writer_queue_leave and the next; acquire: what earlier servers and readers did. */
	} while (!atomic_compare_exchange_weak_explicit(&lock->state, &state, changed, memory_order_acq_rel,
	                                                memory_order_relaxed));
	if (changed & ~state & SERVED)
		serve_lock(lock, changed, granted);
}
