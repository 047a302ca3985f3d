/*
 * The exchange (exchange paper, section 5; scheduler paper, section 3.2): switch to a task that was just given what
 * it waited for, and have it put the left task on a ready queue, once nothing uses that task's stack any more. So
 * critical sections follow each other on one processor, and everything else goes to any.
 *
 * A task of lower priority than the one that hands over does not run in its place: it goes to the processor that it
 * waited on, before its equals there (run_next.h).
 *
 * A chain of exchanges would keep a processor from the tasks that are ready there. So after every chain= (64)
 * exchanges there is a look: the chain ends if a task waits there that no other processor can take, or if an early
 * switch was asked for. After CHAIN_LONG looks it also ends if anything is ready there and no processor rests, which
 * would take it. Then, until this processor has picked another task, none runs here at once: tasks that are given
 * something go to the processor that they waited on, as above, and if that is this one, one ready task comes before
 * them. So whatever is ready here waits for at most that many exchanges and one quantum. And the next holder of a lock
 * waits for one ready task, not for all: meanwhile all that want the lock would queue up, and make up the next chain.
 */
#ifndef SYNC_EXCHANGE_H
#define SYNC_EXCHANGE_H

#include "heddle/lock.h"
#include "sched/switch.h"

#define CHAIN_LONG 16

/* Make `next`, whose wait was ended, run: here and at once, if it may run here, is not lower than the calling task,
 * and the calling task may be switched away. Returns when the calling task has its turn again. */
static inline void exchange_to(struct task *next);

/* If that is no plain switch (sched/switch.h). */
void exchange_full(struct task *next);

/* Whether exchange_to() would switch to it now; else the chain has ended. */
bool exchange_is_possible(struct scheduler *scheduler, const struct task *next);

/* For a caller with a finalizer of its own: if it is possible, this is the switch. */
static inline void exchange_with(struct task *next, finalizer finalize, void *argument)
{
	scheduler_current()->chain.count++;
	switch_to(next, finalize, argument);
}

static inline void exchange_to(struct task *next)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	if (switch_may_exchange(scheduler, task, next))
		switch_exchange(scheduler, task, next, false);
	else
		exchange_full(next);
}

/* The calling task has given up a lock. A quantum that is spent in a section is extended; this ends the extension, if
 * the task holds no other lock. */
static inline void extension_end(struct task *task)
{
	if (__builtin_expect(task->schedule.extended, 0) && !task_in_section(task))
		quantum_end_extension(task);
}

/* The same if no task is to run in its place: the task whose quantum is spent makes way here. It might reach no check
 * before its next section, and would then leave within that. */
static inline void extension_make_way(struct task *task)
{
	if (__builtin_expect(task->schedule.extended, 0) && !task_in_section(task))
		quantum_make_way(task);
}

/* For a lock that is in none of the task's lists (struct task_locks). */
static inline void section_begin(struct task *task)
{
	task_touch(task);
	task->locks.sections++;
}

static inline void section_end(struct task *task)
{
	task->locks.sections--;
	extension_end(task);
}

void exchange_count_by_chain(struct lock_counters *counters);

/* The calling task has waited and has the lock: if that is measured, count whether it got it by an exchange. */
static inline void exchange_count(struct lock_counters *counters)
{
	if (__builtin_expect(counters->measured, 0))
		exchange_count_by_chain(counters);
}

/* The next holder runs: count the time since the hand-over. */
void exchange_count_delay(struct lock_delays *delays);

/* A misuse of a lock: a panic in debug builds, else the error. */
enum heddle_error lock_misused(const char *function, const char *kind, const void *lock,
                               enum heddle_error error);

#endif
