/*
 * A scheduler for cases that are about what tasks do to each other, and not about how the next one is found:
 * one list of ready tasks, to put something on it or take from it is one step, and so is to go idle.
 *
 * The first virtual processors run tasks. One more is the world outside, whenever a case wants: time, in
 * which any deadline may pass at any moment, or somebody who calls task_cancel().
 */
#ifndef MODEL_READY_H
#define MODEL_READY_H

#include <stdbool.h>

struct explore_case;
struct scheduler;
struct task;

/* In a set-up: the schedulers of so many processors; what is only for reports is ignored. */
void model_ready_start(unsigned processors);

/* Of such a processor: run tasks until all that were made have ended. */
void model_ready_run(void);

/* Whether a deadline has come that timer_expire() looks for: only with the real one. Without a step. */
bool model_timer_is_due(const struct scheduler *scheduler);

/* Of one more processor: let deadlines pass. */
void model_time_run(void);

/* For cases with a bound on chains of exchanges: how often this processor looked for the next task on the
 * list, and a number of what has been on it the longest, another for each time; 0: nothing is ready. */
unsigned model_ready_dispatches(void);
unsigned model_ready_oldest(void);

/* From now on there is no memory for a timer, or there is. */
void model_timer_none(bool none);

/* Of a task: what a loop does in which it yields until ready(argument) holds: other tasks run, and it is
 * ready at any moment at which that holds. Sees memory, not store buffers. */
void model_yield_until(bool (*ready)(void *), void *argument);

/* For waits of the programs: whether all tasks that were made have ended. */
bool model_all_ended(void *unused);

#endif
