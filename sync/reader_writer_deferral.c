/*
 * Deferred hand-over from a writer to the next (sync/deferral.h): a writer that writes again soon takes the lock back.
 * Readers are never deferred, since several may be let in at once: if readers are first, the unlock lets them in.
 *
 * The next writer has the lock from the unlock on: it is WRITTEN, so no task serves, and the queue belongs to that
 * writer, or to the one that takes the lock back.
 */
#include "kernel/panic.h"
#include "sync/deferral.h"
#include "sync/reader_writer_lock.h"

bool reader_writer_defer(struct reader_writer_lock *lock, const struct granted *granted)
{
	struct task *next = granted->first; /* a writer is let in alone */
	return next && next->locks.waiter->use == reader_writer_use(lock, true) &&
	       deferral_begin(&lock->deferral, lock, next);
}

void reader_writer_take_back(struct reader_writer_lock *lock)
{
	struct task *next = deferral_take_back(&lock->deferral);
	struct waiter *waiter = next->locks.waiter;
	ASSERT(lock->first || lock->last == waiter); /* it was let in last of all */
	waiter->next = lock->first;
	lock->first = waiter;
	lock->counters.contended--;
	/* and QUEUED; relaxed: only the calling task unlocks next, and serves then. */
	atomic_fetch_or_explicit(&lock->state, QUEUED, memory_order_relaxed);
	wait_take_back(next); /* now that may be cancelled, and end */
}
