#include "heddle/ttas_lock.h"

#include "sync/strategy/holder.h"
#include "sync/strategy/ttas.h"

static const char kind[] = "TTAS lock";

enum heddle_error ttas_lock_create(struct ttas_lock *lock, const struct waiting_strategy *strategy)
{
	*lock = (struct ttas_lock)HEDDLE_TTAS_LOCK_INITIALIZER;
	return holder_create(&lock->common, strategy);
}

__attribute__((noinline)) static enum heddle_error ttas_lock_contended(struct ttas_lock *lock,
                                                                       uint64_t deadline)
{
	struct backoff backoff;
	enum heddle_error error = holder_check_wait(&lock->common, "ttas_lock_lock()", kind, lock);
	backoff_start(&backoff, waiting_strategy_of(&lock->common), NULL, NULL);
	while (error == HEDDLE_OK) {
		if (deadline != HEDDLE_NO_DEADLINE && arch_clock() >= deadline)
			error = HEDDLE_TIMED_OUT;
		else
			backoff_wait(&backoff);
		if (ttas_take(&lock->word))
			return holder_enter(&lock->common, backoff.stage);
	}
	return error;
}

STACK_ENTRY(ttas_lock_lock_until)
enum heddle_error ttas_lock_lock_until(struct ttas_lock *lock, uint64_t deadline)
{
	if (__builtin_expect(ttas_take(&lock->word), 1))
		return holder_enter(&lock->common, WAITED_NOT);
	return ttas_lock_contended(lock, deadline);
}

STACK_ENTRY(ttas_lock_lock)
enum heddle_error ttas_lock_lock(struct ttas_lock *lock)
{
	return ttas_lock_lock_until(lock, HEDDLE_NO_DEADLINE);
}

enum heddle_error ttas_lock_try_lock(struct ttas_lock *lock)
{
	return ttas_take(&lock->word) ? holder_enter(&lock->common, WAITED_NOT) : holder_busy(&lock->common);
}

STACK_ENTRY(ttas_lock_unlock)
enum heddle_error ttas_lock_unlock(struct ttas_lock *lock)
{
	bool uncooperative;
	if (!holder_leave(&lock->common, &uncooperative))
		return lock_misused("ttas_lock_unlock()", kind, lock, HEDDLE_NOT_OWNER);
	ttas_give(&lock->word);
	return holder_left(uncooperative);
}

enum heddle_error ttas_lock_destroy(struct ttas_lock *lock)
{
	/* acquire: what the last holder did. */
	if (atomic_load_explicit(&lock->word, memory_order_acquire) != TTAS_FREE)
		return lock_misused("ttas_lock_destroy()", kind, lock, HEDDLE_IN_USE);
	return HEDDLE_OK;
}
