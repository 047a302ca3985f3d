/*
 * What a task keeps of its own over its switches, of what the processor or the host's thread has only once:
 *
 *   - the control words of the vector and x87 units, and what these units report of what was computed, if the task
 *     changes or looks at them (task_keep_control());
 *   - the exceptions that it handles, from the first that it catches until there is none (heddle_stack_landed());
 *   - errno, if it looks at that (heddle_keep_error()), and of every task where a check switches it away: the program
 *     does not see these switches.
 *
 * Of most tasks the processor has what every task begins with, and to look at all of it at each switch would cost as
 * much as all else. So a task that keeps something says so, and the compiler's plugin puts the calls where it sees it.
 * When it leaves, this is saved, and what every task begins with is left behind. Such a switch is never a plain yield
 * (plain.h).
 */
#ifndef SCHED_CONTROL_H
#define SCHED_CONTROL_H

#include "sched/task.h"

/* One of the two keeps something. */
void control_exchange(struct task *left, struct task *next);

/* At each switch, before it. */
static inline void control_switch(struct task *left, struct task *next)
{
	if (__builtin_expect(left->schedule.keeps != 0 || next->schedule.keeps != 0, 0))
		control_exchange(left, next);
}

/* At a switch by a check, before that. */
static inline void control_keep_at_check(struct task *left)
{
	left->schedule.keeps |= arch_kept_at_checks;
}

/* The calling task handles an exception. */
void control_keep_exceptions(void);

/* Called by user code: the calling task is about to look at errno. */
void heddle_keep_error(void);

#endif
