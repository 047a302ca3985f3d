#include "heddle/mcs_lock.h"

#include "sync/strategy/holder.h"
#include "sync/strategy/mcs_queue.h"

static const char kind[] = "MCS lock";

enum heddle_error mcs_lock_create(struct mcs_lock *lock, const struct waiting_strategy *strategy)
{
	*lock = (struct mcs_lock)HEDDLE_MCS_LOCK_INITIALIZER;
	return holder_create(&lock->common, strategy);
}

__attribute__((noinline)) static enum heddle_error mcs_lock_contended(struct mcs_lock *lock)
{
	const struct wait_object object = {kind, lock, &lock->common.owner};
	enum heddle_error error = holder_check_wait(&lock->common, "mcs_lock_lock()", kind, lock);
	if (error != HEDDLE_OK)
		return error;
	return holder_enter(&lock->common,
	                    mcs_queue_enter(&lock->queue, waiting_strategy_of(&lock->common), &object));
}

STACK_ENTRY(mcs_lock_lock)
enum heddle_error mcs_lock_lock(struct mcs_lock *lock)
{
	if (__builtin_expect(mcs_queue_try(&lock->queue), 1))
		return holder_enter(&lock->common, WAITED_NOT);
	return mcs_lock_contended(lock);
}

enum heddle_error mcs_lock_try_lock(struct mcs_lock *lock)
{
	return mcs_queue_try(&lock->queue) ? holder_enter(&lock->common, WAITED_NOT) : holder_busy(&lock->common);
}

STACK_ENTRY(mcs_lock_unlock)
enum heddle_error mcs_lock_unlock(struct mcs_lock *lock)
{
	bool uncooperative;
	if (!holder_leave(&lock->common, &uncooperative))
		return lock_misused("mcs_lock_unlock()", kind, lock, HEDDLE_NOT_OWNER);
	mcs_queue_leave(&lock->queue);
	return holder_left(uncooperative);
}

enum heddle_error mcs_lock_destroy(struct mcs_lock *lock)
{
	if (!mcs_queue_is_empty(&lock->queue))
		return lock_misused("mcs_lock_destroy()", kind, lock, HEDDLE_IN_USE);
	return HEDDLE_OK;
}
