/*
 * What a processor owes: a task that has what it waited for, and does not run yet. The current task goes on instead:
 * it may want back what it gave (a giver is named: sync/deferral.h), or is about to wait itself. The owed task runs in
 * the place of the current one when that leaves the processor, or at a check after a number of its instructions.
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
 * LENT: the current task holds again what it gave, but the owed task's wait stays ended. So a section in a loop costs
 * no atomic operation. Every other operation on the slot first makes the owed task wait again (owed_return), and goes
 * on as if nothing were owed.
 *
 * No other task or processor can give the owed task anything, or make it run: to all others it looks like a task that
 * was made ready and has not run yet. Only the processor itself uses the slot, so all operations are wait-free and
 * take effect where they store; except owed_settle(), which is as run_next_publish() or ready_publish(), and
 * owed_return(), which is as wait_take_back(). While a task is owed no plain picks are granted (plain.h): so a plain
 * yield or wait need not look here.
 *
 * A task learns whether the tasks that it wakes should wait for it. If it goes on for long, they wait in vain: then
 * some of the next ones are made ready at once, twice as many each time. If it soon leaves, that is forgotten.
 */
#ifndef SCHED_OWED_H
#define SCHED_OWED_H

#include "sched/quantum.h"
#include "sched/trace.h"

#define OWED_PAUSE_MOST 1023

/* Whether to leave out an attempt that was in vain lately; and how many to leave out after one more in vain. */
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

/* Owe `task`, whose wait was ended, for at most that many instructions of the current task. `giver` names what may be
 * taken back; NULL: nothing. No task is owed yet. */
void owed_keep(struct scheduler *scheduler, struct task *task, const void *giver, uint32_t instructions);

static inline bool owed_is_of(const struct scheduler *scheduler, const void *giver)
{
	return scheduler->owed_giver == giver;
}

/* The current task takes back what it gave. Returns the task that was owed, which the caller makes wait again. */
struct task *owed_take_back(struct scheduler *scheduler);

/* The same, but the task that was owed stays owed. The caller puts it where it has waited. */
static inline struct task *owed_lend(struct scheduler *scheduler)
{
	quantum_counter_move(scheduler->processor, scheduler->owed_rest);
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

/* Let the current task go on for at most that many instructions, on its own counter. */
static inline void owed_bound(struct scheduler *scheduler, uint32_t instructions)
{
	int32_t before = quantum_counter(scheduler->processor), after = before;
	int32_t left = quantum_counter_left(before), most = (int32_t)instructions;
	if (left > 0)
		after = quantum_counter_exact((uint32_t)(left < most ? left : most) + 1);
	scheduler->owed_rest = (int32_t)((uint32_t)before - (uint32_t)after); /* may wrap, as where it is added */
	quantum_counter_set(scheduler->processor, after);
}

/* The current task gives what was lent again, as by owed_keep(). The caller takes the owed task from where it waited.
 * */
static inline void owed_give_again(struct scheduler *scheduler, uint32_t instructions)
{
	scheduler->owed_giver = scheduler->owed_lent;
	scheduler->owed_lent = NULL;
	trace_grant(scheduler->owed);
	owed_bound(scheduler, instructions);
}

/* The current task keeps what was lent: the owed task waits again. */
void owed_return(struct scheduler *scheduler);

/* The current task leaves the processor for the owed task, which is returned. NULL: that waits again. */
struct task *owed_leave(struct scheduler *scheduler);

/* The same if the switch may be plain; NULL: it may not, or no task is owed. */
struct task *owed_leave_plainly(struct scheduler *scheduler, const struct task *left);

/* At a yield, where a task is owed. Returns whether the current task has made way for it, and has its turn again. */
bool owed_yield(struct scheduler *scheduler);

/* At a check, where a task is owed. Returns whether the current task goes on, perhaps after the owed one had its turn.
 * */
bool owed_spent(struct scheduler *scheduler);

/* If a task may be owed, make it ready, or wait again (owed_settle() of arch.h). The current task goes on with the
 * rest of its quantum. */
static inline void owed_settle_any(struct scheduler *scheduler)
{
	if (__builtin_expect(scheduler->owed != NULL, 0))
		owed_settle(scheduler);
}

#endif
