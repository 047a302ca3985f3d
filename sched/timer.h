/*
 * Sleeping tasks of one processor: a pairing heap by deadline, linked through the tasks, touched by that
 * processor only. A sleeper wakes on the processor that it slept on, at the first pick or idle wake after its
 * deadline, or where a slice of a quantum ends (quantum.h): at most READY_CHORE_PICK switches late on a busy
 * processor.
 */
#ifndef SCHED_TIMER_H
#define SCHED_TIMER_H

#include <stdint.h>

#include "sched/scheduler.h"

/* Finalizer of a sleep: the left task, whose deadline is set, joins the sleepers of this processor. */
void timer_add(struct task *left, void *unused);

/* Ready every task whose deadline has come. Costs a compare where nobody sleeps. */
void timer_expire(struct scheduler *scheduler);

/* The earliest deadline; UINT64_MAX: nobody sleeps. */
uint64_t timer_next(const struct scheduler *scheduler);

/* Sleepers on all processors. */
uint64_t timer_count(void);
void timer_start(void);

#endif
