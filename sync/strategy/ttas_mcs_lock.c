#include "heddle/ttas_mcs_lock.h"

#include "sync/strategy/holder.h"
#include "sync/strategy/mcs_queue.h"
#include "sync/strategy/ttas.h"

#define GOLDEN 0x9e3779b9u /* 2^32 divided by the golden ratio */

static const char kind[] = "TTAS-MCS lock";

enum heddle_error ttas_mcs_lock_create(struct ttas_mcs_lock *lock, const struct waiting_strategy *strategy,
                                       struct ttas_mcs_queue *queues, uint32_t count,
                                       enum heddle_ttas_mcs_choice choice)
{
	*lock = (struct ttas_mcs_lock)HEDDLE_TTAS_MCS_LOCK_INITIALIZER;
	if ((queues == NULL) != (count == 0) || (unsigned)choice > HEDDLE_TTAS_MCS_RANDOM)
		return HEDDLE_BAD_ARGUMENT;
	lock->queues = queues;
	lock->count = count;
	lock->choice = choice;
	return holder_create(&lock->common, strategy);
}

/* The number of this arrival at the lock, its bits mixed: good enough to spread tasks. */
static uint32_t scatter(struct ttas_mcs_lock *lock)
{
	uint32_t arrival = atomic_fetch_add_explicit(&lock->arrivals, 1, memory_order_relaxed);
	uint32_t mixed = (arrival ^ arrival >> 16) * GOLDEN;
	return mixed ^ mixed >> 15;
}

static struct mcs_queue *choose(struct ttas_mcs_lock *lock)
{
	uint32_t number;
	if (lock->count == 0)
		return &lock->own;
	if (lock->choice == HEDDLE_TTAS_MCS_RANDOM)
		number = scatter(lock);
	else if (lock->choice == HEDDLE_TTAS_MCS_NODE)
		number = processor_current()->node;
	else
		number = processor_current()->index;
	return &lock->queues[number % lock->count].queue;
}

__attribute__((noinline)) static enum heddle_error ttas_mcs_lock_contended(struct ttas_mcs_lock *lock)
{
	const struct wait_object object = {kind, lock, &lock->common.owner};
	const struct waiting_strategy *strategy = waiting_strategy_of(&lock->common);
	struct backoff backoff;
	enum heddle_error error = holder_check_wait(&lock->common, "ttas_mcs_lock_lock()", kind, lock);
	if (error != HEDDLE_OK)
		return error;
	struct mcs_queue *queue = choose(lock);
	enum waiting_stage stage = WAITED_NOT;
	if (!mcs_queue_try(queue))
		stage = mcs_queue_enter(queue, strategy, &object);
	backoff_start(&backoff, strategy, NULL, NULL);
	while (!ttas_take(&lock->word))
		backoff_wait(&backoff);
	lock->entered = queue;
	return holder_enter(&lock->common, backoff.stage > stage ? backoff.stage : stage);
}

STACK_ENTRY(ttas_mcs_lock_lock)
enum heddle_error ttas_mcs_lock_lock(struct ttas_mcs_lock *lock)
{
	if (__builtin_expect(ttas_take(&lock->word), 1))
		return holder_enter(&lock->common, WAITED_NOT);
	return ttas_mcs_lock_contended(lock);
}

enum heddle_error ttas_mcs_lock_try_lock(struct ttas_mcs_lock *lock)
{
	return ttas_take(&lock->word) ? holder_enter(&lock->common, WAITED_NOT) : holder_busy(&lock->common);
}

/* The paper clears the word first, and then passes the queue on. But a task that takes the word may be the last user
 * of the lock, and free it: so here the word comes last. */
STACK_ENTRY(ttas_mcs_lock_unlock)
enum heddle_error ttas_mcs_lock_unlock(struct ttas_mcs_lock *lock)
{
	bool uncooperative;
	if (!holder_leave(&lock->common, &uncooperative))
		return lock_misused("ttas_mcs_lock_unlock()", kind, lock, HEDDLE_NOT_OWNER);
	struct mcs_queue *entered = lock->entered;
	lock->entered = NULL;
	if (entered)
		mcs_queue_leave(entered);
	ttas_give(&lock->word);
	return holder_left(uncooperative);
}

enum heddle_error ttas_mcs_lock_destroy(struct ttas_mcs_lock *lock)
{
	/* acquire: what the last holder did. */
	bool used = atomic_load_explicit(&lock->word, memory_order_acquire) != TTAS_FREE;
	used |= !mcs_queue_is_empty(&lock->own);
	for (uint32_t i = 0; i < lock->count; i++)
		used |= !mcs_queue_is_empty(&lock->queues[i].queue);
	return used ? lock_misused("ttas_mcs_lock_destroy()", kind, lock, HEDDLE_IN_USE) : HEDDLE_OK;
}
