/*
 * The exchange (exchange paper, section 5; scheduler paper, section 3.2): switch to a task that was just
 * given what it waited for, and let it put the task that was left on a ready queue, once nothing uses that
 * task's stack any more. So critical sections follow each other on one processor, and everything else goes to
 * any.
 *
 * A chain of exchanges would keep a processor from what is ready there. It ends after chain= (64) of them if
 * something waits there that no other processor can take, after CHAIN_LONG times as many if anything does;
 * the next task then goes to the processor that it waited on, before all that is ready there.
 */
#ifndef SYNC_EXCHANGE_H
#define SYNC_EXCHANGE_H

#include "heddle/lock.h"
#include "sched/switch.h"

#define CHAIN_LONG 16

/* Make `next`, whose wait was ended, run: here and at once, if it may run here and the calling task may be
 * switched away. Returns when the calling task has its turn again. */
void exchange_to(struct task *next);

/* Whether exchange_to() would switch to it now. */
bool exchange_is_possible(struct scheduler *scheduler, const struct task *next);

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

/* Count an exchange that is about to happen. */
static inline void exchange_count(struct lock_counters *counters, const struct scheduler *scheduler)
{
	counters->exchanges++;
	if (scheduler->chain + 1 > counters->longest_chain)
		counters->longest_chain = scheduler->chain + 1;
}

/* A misuse of a lock: a panic in debug builds, else the error. */
enum heddle_error lock_misused(const char *function, const char *kind, const void *lock,
                               enum heddle_error error);

#endif
