#include "sync/baseline/spin_mutex.h"

#include "sync/baseline/hand_over.h"

static bool is_locked(struct spin_mutex *mutex)
{
	return atomic_load_explicit(&mutex->locked, memory_order_relaxed);
}

static void set_locked(struct spin_mutex *mutex, bool locked)
{
	atomic_store_explicit(&mutex->locked, locked, memory_order_relaxed);
}

/* The caller holds the word. */
static bool spin_mutex_take(struct spin_mutex *mutex)
{
	if (is_locked(mutex))
		return false;
	set_locked(mutex, true);
	return true;
}

static void finalize_spin_mutex_lock(struct task *left, void *argument)
{
	struct spin_mutex *mutex = argument;
	spin_take(&mutex->word);
	bool taken = spin_mutex_take(mutex);
	if (!taken)
		task_line_put(&mutex->waiting, left);
	spin_release(&mutex->word);
	if (taken)
		hand_over_at_once(left);
}

/* If the mutex looks locked, the word is taken only once, in the finalizer. */
static bool take_at_once(struct spin_mutex *mutex)
{
	if (is_locked(mutex))
		return false;
	spin_take(&mutex->word);
	bool taken = spin_mutex_take(mutex);
	spin_release(&mutex->word);
	return taken;
}

enum heddle_error spin_mutex_lock(struct spin_mutex *mutex)
{
	if (!take_at_once(mutex))
		hand_over_await("spin mutex", mutex, finalize_spin_mutex_lock);
	section_begin(task_current());
	return HEDDLE_OK;
}

STACK_ENTRY(spin_mutex_unlock)
enum heddle_error spin_mutex_unlock(struct spin_mutex *mutex)
{
	section_end(task_current());
	spin_take(&mutex->word);
	struct task *next = task_line_take(&mutex->waiting);
	if (!next)
		set_locked(mutex, false);
	spin_release(&mutex->word);
	if (next)
		hand_over_by_exchange(next);
	return HEDDLE_OK;
}
