/*
 * What a processor owes: a task that has what it waited for, and does not run yet. The current task goes on instead: it
 * may want back what it gave (a giver is named: sync/deferral.h), or is about to wait itself. The other runs when the
 * current one leaves the processor, and in its place; or after so many instructions of the current one, at a check.
 *
 *     NOTHING --owed_keep--> a task --owed_take_back--> NOTHING  (it waits again)
 *                            a task --owed_lend--> LENT --owed_give_again--> a task
 *                                                  LENT --owed_return--> NOTHING  (it waits again)
 *                            a task --owed_leave--> NOTHING      (it runs next: the current task waits, or ends)
 *                            a task --owed_yield--> NOTHING      (it runs next, if there is a giver; else it is ready)
 *                            a task --owed_spent--> NOTHING      (at a check: the same)
 *                            a task --owed_settle--> NOTHING     (it is ready: at all other switches, in uncooperative
 *                                                                sections, before foreign code)
 *
 * LENT: the current task holds again what it gave, in the place of the other, whose wait has still ended. So a section
 * in a loop costs no atomic operation. Before anything else becomes of the slot, the other waits again: each of the
 * operations above does this (owed_return), and goes on as if nothing were owed.
 *
 * Nobody else can give that task anything, or make it run: to all others it looks like one that was made ready and
 * has not come to run. Only the processor itself comes to the slot, so all of it is wait-free and takes effect where it
 * stores, but for owed_settle(), which is as run_next_publish() or ready_publish(), and owed_return(), which is as
 * wait_take_back(). While a task is owed no plain picks are granted (plain.h): so a plain yield or wait need not look
 * here.
 *
 * A task learns whether those that it wakes should wait for it. Where it goes on for long they wait in vain: then so
 * many more are made ready at once, twice as many each time. Where it soon leaves, that is forgotten.
 */
#ifndef SCHED_OWED_H
#define SCHED_OWED_H

#include "sched/quantum.h"
#include "sched/trace.h"

#define OWED_PAUSE_MOST 1023

/* Whether that is not to be tried now which was in vain lately; and how often not, when it was so once more. */
static inline bool owed_pause(uint16_t *pause)
{
	bool paused = *pause > 0;
	*pause -= paused;
	return paused;
}

static inline uint16_t owed_pause_longer(uint16_t pause)
{
	return (uint16_t)(2 * pause + 1) & OWED_PAUSE_MOST;
}

/* Owe `task`, whose wait was ended, for at most so many instructions of the current task. `giver` names what may be
 * taken back; NULL: nothing. Nothing is owed yet. */
void owed_keep(struct scheduler *scheduler, struct task *task, const void *giver, uint32_t instructions);

static inline bool owed_is_of(const struct scheduler *scheduler, const void *giver)
{
	return scheduler->owed_giver == giver;
}

/* The current task has it back: the task that was owed, which is made to wait again. */
struct task *owed_take_back(struct scheduler *scheduler);

/* The current task has it as well; but the task that was owed, which is returned, stays owed. The caller puts it where
 * it has waited. */
static inline struct task *owed_lend(struct scheduler *scheduler)
{
	quantum_counter_set(scheduler->processor, quantum_counter(scheduler->processor) + scheduler->owed_rest);
	scheduler->owed_rest = 0;
	scheduler->owed_lent = scheduler->owed_giver;
	scheduler->owed_giver = NULL;
	trace_revoke(scheduler->owed);
	return scheduler->owed;
}

/* `giver` is not NULL. */
static inline bool owed_is_lent(const struct scheduler *scheduler, const void *giver)
{
	return scheduler->owed_lent == giver;
}

/* The current task may go on for at most so many instructions, on its own counter. */
static inline void owed_bound(struct scheduler *scheduler, uint32_t instructions)
{
	int32_t left = quantum_counter(scheduler->processor), most = (int32_t)instructions;
	scheduler->owed_rest = left > most ? left - most : 0;
	quantum_counter_set(scheduler->processor, left - scheduler->owed_rest);
}

/* The current task gives what was lent, as by owed_keep(). The caller takes the other from where it has waited. */
static inline void owed_give_again(struct scheduler *scheduler, uint32_t instructions)
{
	scheduler->owed_giver = scheduler->owed_lent;
	scheduler->owed_lent = NULL;
	trace_grant(scheduler->owed);
	owed_bound(scheduler, instructions);
}

/* What is lent is the current task's for good: the other waits again. */
void owed_return(struct scheduler *scheduler);

/* The current task leaves the processor for the one that is owed. NULL: that waits again. */
struct task *owed_leave(struct scheduler *scheduler);

/* The same where that is plain; NULL: it is not, or none is owed. */
struct task *owed_leave_plainly(struct scheduler *scheduler, const struct task *left);

/* At a yield, where a task is owed. Returns whether the current task has made way for it, and has its turn again. */
bool owed_yield(struct scheduler *scheduler);

/* At a check, where a task is owed. Returns whether the current task goes on, be it that it has its turn again. */
bool owed_spent(struct scheduler *scheduler);

/* Make the task that is owed ready, or wait again (owed_settle() of arch.h), where one may be. The current one goes on,
 * with what it had of its quantum. */
static inline void owed_settle_any(struct scheduler *scheduler)
{
	if (__builtin_expect(scheduler->owed != NULL, 0))
		owed_settle(scheduler);
}

#endif
