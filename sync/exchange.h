/*
 * The exchange (exchange paper, section 5; scheduler paper, section 3.2): switch to a task that was just
 * given what it waited for, and let it put the task that was left on a ready queue, once nothing uses that
 * task's stack any more. So critical sections follow each other on one processor, and everything else goes to
 * any.
 *
 * A task of lower priority than the one that hands over does not run in its place: it goes to the processor that
 * it waited on, before its equals there (run_next.h), or behind them if that is this one.
 *
 * A chain of exchanges would keep a processor from what is ready there. It ends after chain= (64) of them if
 * something waits there that no other processor can take, or somebody asks for an early switch; after CHAIN_LONG
 * times as many if anything is ready there. Until this processor has picked another task, those that are given
 * something then go the same way, and none runs here at once: so whatever is ready here waits for at most that
 * many exchanges and one quantum.
 */
#ifndef SYNC_EXCHANGE_H
#define SYNC_EXCHANGE_H

#include "heddle/lock.h"
#include "sched/switch.h"

#define CHAIN_LONG 16

/* Make `next`, whose wait was ended, run: here and at once, if it may run here, is not lower than the calling task,
 * and that may be switched away. Returns when the calling task has its turn again. */
void exchange_to(struct task *next);

/* Whether exchange_to() would switch to it now; else the chain has ended. */
bool exchange_is_possible(struct scheduler *scheduler, const struct task *next);

/* The pieces of that for a caller with a finalizer of its own: it was possible, and this is the switch. */
static inline void exchange_with(struct task *next, finalizer finalize, void *argument)
{
	next->chain = ++scheduler_current()->chain;
	switch_to(next, finalize, argument);
}

/* A critical section of the calling task begins, and ends: in one a spent quantum is extended. */
static inline void section_begin(struct task *task)
{
	task->sections++;
}

static inline void section_end(struct task *task)
{
	if (--task->sections == 0 && __builtin_expect(task->extended, 0))
		quantum_end_extension(task);
}

/* The same where nobody is to run in its place: the task whose quantum is spent makes way here. It may come to no check
 * before its next section, and then would leave within that. */
static inline void section_leave(struct task *task)
{
	if (--task->sections == 0 && __builtin_expect(task->extended, 0))
		quantum_make_way(task);
}

/* The calling task has waited, and holds the lock alone: count it if it got that by an exchange. */
static inline void exchange_count(struct lock_counters *counters, const struct task *task)
{
	if (task->chain == 0)
		return;
	atomic_store_explicit(&counters->exchanges,
	                      atomic_load_explicit(&counters->exchanges, memory_order_relaxed) + 1,
	                      memory_order_relaxed);
	if (task->chain > atomic_load_explicit(&counters->longest_chain, memory_order_relaxed))
		atomic_store_explicit(&counters->longest_chain, task->chain, memory_order_relaxed);
}

/* The same where others may count as well. */
static inline void exchange_count_shared(struct lock_counters *counters, const struct task *task)
{
	if (task->chain == 0)
		return;
	atomic_fetch_add_explicit(&counters->exchanges, 1, memory_order_relaxed);
	uint64_t longest = atomic_load_explicit(&counters->longest_chain, memory_order_relaxed);
	while (task->chain > longest &&
	       !atomic_compare_exchange_weak_explicit(&counters->longest_chain, &longest, task->chain,
	                                              memory_order_relaxed, memory_order_relaxed))
		;
}

/* A misuse of a lock: a panic in debug builds, else the error. */
enum heddle_error lock_misused(const char *function, const char *kind, const void *lock,
                               enum heddle_error error);

#endif
