/*
 * Deferred hand-over: an unlock that gives the lock to a waiter may let the caller go on for `defer=` instructions. A
 * task that locks it again before that, as one in a loop does, has it back: its data stays in this processor's cache,
 * and no switch is made. Else the waiter runs, as after an exchange that comes that much later (sched/owed.h).
 *
 * The lock is the waiter's from the unlock on. To all other tasks the waiter only seems to take a moment until it
 * runs, or to wait a little longer. So everything that holds of a hand-over still holds.
 *
 *     held by A --A unlocks--> given to B, which is owed --A locks again--> held by A, B waits, the first of the queue
 *                                                        --A leaves, a check, ...--> held by B, which runs
 *
 * A mutex that A locks again is only lent to A, which mostly gives it to B again (mutex_lent.h).
 *
 * - Where the queue's first has a deadline, it is not deferred. Its timer goes off where it waited, and may do so while
 *   it is owed: that finds the wait ended, and is over. Taken back, it would wait without a deadline. To look at the
 *   clock then is not enough: where the timer goes off the clock may be read after the wait's word, and be ahead.
 * - `chain=` sections in a row at most, and none beyond the task's quantum: an unlock that finds it spent, which was
 *   extended then, hands over. So the first that waits has the lock at most that many sections, and as often `defer=`
 *   instructions, later than without a deferral; and no later than the quantum and its extension end. What it comes
 *   to in nanoseconds is `first_waited_ns` of `run=delay`.
 * - Each lock learns. A deferral that comes to nothing costs the lock the deferrals of some hand-overs that follow,
 *   twice as many each time; one that is taken back makes that none.
 * - Only where the compiler's checks bound it. Foreign code has none: before it is called from a stack that grows, what
 *   is owed is settled; on other stacks of a process nothing is deferred.
 *
 * Deferred wake-up: a task that a step of a served object lets go on (sync/serve.h) may be owed likewise,
 * DEFERRAL_WAKE times as long. If the current task then waits, it leaves for the owed one, and no other processor is
 * woken: so one task fills a channel, and the other empties it. If the current task goes on, the other goes to an idle
 * processor after that time. Tasks learn which of the two they do (sched/owed.h).
 *
 * Only the holder uses the state of a lock's deferral, so no two operations here run at once.
 */
#ifndef SYNC_DEFERRAL_H
#define SYNC_DEFERRAL_H

#include "heddle/lock.h"
#include "kernel/command_line.h"
#include "sched/owed.h"

#define DEFERRAL_WAKE 8 /* how many times as long */

/* deferral_begin() without the quick look at `pause`. */
bool deferral_try(struct deferral *deferral, const void *lock, struct task *next);

/* The current task has given `lock` to `next`, which does not run yet. Returns whether the current task may go on; if
 * not, the caller makes `next` run. */
static inline bool deferral_begin(struct deferral *deferral, const void *lock, struct task *next)
{
	return !owed_pause(&deferral->pause) && deferral_try(deferral, lock, next);
}

/* The current task locks what it has given up, owed_is_of(lock). Returns the task that got it: the caller puts that
 * back to the head of the lock's queue, and then makes it wait again, by wait_take_back(). */
struct task *deferral_take_back(struct deferral *deferral);

/* The same, but the mutex is lent: the returned task's place goes to the head of the queue, and its wait stays ended.
 * */
static inline struct task *deferral_lend(struct deferral *deferral, struct scheduler *scheduler)
{
	deferral->pause = deferral->next_pause = 0;
	deferral->retaken++;
	return owed_lend(scheduler);
}

/* The current task unlocks what is lent. Returns whether it may give it again as before; if not, nothing was done.
 * What does not change while the task runs was checked by the first deferral of the row. */
static inline bool deferral_give_again(struct deferral *deferral, struct scheduler *scheduler)
{
	if (deferral->strict || deferral->row >= command_line.chain || quantum_is_spent(scheduler) ||
	    arch_is_uncooperative() || scheduler->current->schedule.extended)
		return false;
	deferral->row++;
	deferral->deferred++;
	deferral->pause = deferral->next_pause = owed_pause_longer(0);
	owed_give_again(scheduler, command_line.defer);
	return true;
}

/* The current task has ended the wait of `woken`. Returns whether `woken` is owed until the current task leaves; if
 * not, the caller makes it ready. */
bool deferral_of_wake(struct task *woken);

#endif
