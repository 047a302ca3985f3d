/*
 * What these locks are made of: a test-and-set word, and a first-in first-out line of tasks that wait.
 *
 * The holder of a word runs code that is neither interrupted nor switched. So a processor spins only for another one,
 * for the few instructions that it has the word; or, if processors are a host's threads, until the host lets that one
 * go on.
 */
#ifndef SYNC_BASELINE_SPIN_H
#define SYNC_BASELINE_SPIN_H

#include "heddle/lock.h"
#include "sched/task.h"

struct spin_word {
	HEDDLE_ATOMIC(bool) taken;
};

/* Linked by wait_cold.next of the tasks. */
struct task_line {
	struct task *first, *last;
};

static inline void spin_take(struct spin_word *word)
{
	/* acquire: pairs with spin_release. */
	while (atomic_exchange_explicit(&word->taken, true, memory_order_acquire))
		while (atomic_load_explicit(&word->taken, memory_order_relaxed))
			arch_pause();
}

static inline void spin_release(struct spin_word *word)
{
	/* release: pairs with spin_take. */
	atomic_store_explicit(&word->taken, false, memory_order_release);
}

static inline void task_line_put(struct task_line *line, struct task *task)
{
	task->wait_cold.next = NULL;
	if (line->first)
		line->last->wait_cold.next = task;
	else
		line->first = task;
	line->last = task;
}

/* NULL: no task waits. */
static inline struct task *task_line_take(struct task_line *line)
{
	struct task *task = line->first;
	if (task)
		line->first = task->wait_cold.next;
	return task;
}

#endif
