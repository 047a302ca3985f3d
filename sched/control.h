/*
 * State that a processor or the host's thread has only once, and that a task keeps over its switches:
 *
 *   - the control words of the vector and x87 units, and their status flags, if the task changes or reads them
 *     (task_keep_control());
 *   - the exceptions that it handles, from the first that it catches until none is left (heddle_stack_landed());
 *   - errno, if it reads that (heddle_keep_error()), and whenever a check switches it away, since the program does not
 *     see that switch;
 *   - the signals that it blocks (control_keep_signals(), arch.h), of which the processor knows nothing;
 *   - where its stack is, for the address sanitizer, from the beginning if the program has that (arch_stack_begin()).
 *
 * For most tasks the processor holds the initial state, and saving all of it at each switch would double the cost of
 * the switch. So a task that keeps something says so; the compiler's plugin inserts the calls. When such a task
 * leaves, its state is saved, and the initial state is put in place. Such a switch is never plain (plain.h).
 */
#ifndef SCHED_CONTROL_H
#define SCHED_CONTROL_H

#include "sched/task.h"

/* Exchange the state: at least one of the two tasks keeps some. */
void control_exchange(struct task *left, struct task *next);

/* Called before each switch. */
static inline void control_switch(struct task *left, struct task *next)
{
	if (__builtin_expect(left->schedule.keeps != 0 || next->schedule.keeps != 0, 0))
		control_exchange(left, next);
}

/* Called before a switch by a check. */
static inline void control_keep_at_check(struct task *left)
{
	left->schedule.keeps |= arch_kept_at_checks;
}

/* The calling task handles an exception. */
void control_keep_exceptions(void);

/* Called by user code: the task is about to read errno. */
void heddle_keep_error(void);

#endif
