#include "sync/baseline/reader_writer.h"

#include "sync/baseline/hand_over.h"

#define WRITING (1u << 31)
#define WAITING (1u << 30)

static uint32_t baseline_look(struct reader_writer *lock)
{
	return atomic_load_explicit(&lock->state, memory_order_relaxed);
}

static void set(struct reader_writer *lock, uint32_t state)
{
	atomic_store_explicit(&lock->state, state, memory_order_relaxed);
}

static bool is_open(uint32_t state, bool writes)
{
	return writes ? state == 0 : !(state & (WRITING | WAITING));
}

/* The caller holds the word. */
static bool enter(struct reader_writer *lock, bool writes)
{
	uint32_t state = baseline_look(lock);
	if (!is_open(state, writes))
		return false;
	set(lock, state + (writes ? WRITING : 1));
	return true;
}

static void finalize_baseline_lock(struct task *left, void *argument)
{
	struct reader_writer *lock = argument;
	spin_take(&lock->word);
	bool entered = enter(lock, left->locks.writes);
	if (!entered) {
		task_line_put(&lock->waiting, left);
		set(lock, baseline_look(lock) | WAITING);
	}
	spin_release(&lock->word);
	if (entered)
		hand_over_at_once(left);
}

/* If the lock looks closed, the word is taken only once, in the finalizer. */
static bool enter_at_once(struct reader_writer *lock, bool writes)
{
	if (!is_open(baseline_look(lock), writes))
		return false;
	spin_take(&lock->word);
	bool entered = enter(lock, writes);
	spin_release(&lock->word);
	return entered;
}

void reader_writer_lock(struct reader_writer *lock, bool writes, const char *kind)
{
	if (!enter_at_once(lock, writes)) {
		task_current()->locks.writes = writes;
		hand_over_await(kind, lock, finalize_baseline_lock);
	}
	section_begin(task_current());
}

/* The caller holds the word; no task has the lock, and some wait. */
static struct task *admit(struct reader_writer *lock)
{
	struct task *first = task_line_take(&lock->waiting), *last = first;
	uint32_t state = first->locks.writes ? WRITING : 1;
	while (!first->locks.writes && lock->waiting.first && !lock->waiting.first->locks.writes) {
		last = task_line_take(&lock->waiting);
		state++;
	}
	last->wait_cold.next = NULL;
	set(lock, state | (lock->waiting.first ? WAITING : 0));
	return first;
}

struct task *reader_writer_unlock(struct reader_writer *lock, bool wrote)
{
	struct task *first = NULL;
	section_end(task_current());
	spin_take(&lock->word);
	uint32_t state = baseline_look(lock) - (wrote ? WRITING : 1);
	if (state == WAITING)
		first = admit(lock);
	else
		set(lock, state);
	spin_release(&lock->word);
	return first;
}
