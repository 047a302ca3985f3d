/*
 * A scheduler for cases about what tasks do to each other, not about how the next one is found: one list of ready
 * tasks; putting to it, taking from it and going idle are one step each.
 *
 * The first virtual processors run tasks. One more can be the outside world: time, in which any deadline may pass at
 * any moment, or a caller of task_cancel().
 */
#ifndef MODEL_READY_H
#define MODEL_READY_H

#include <stdbool.h>

struct explore_case;
struct scheduler;
struct task;

/* In a set-up: create the schedulers of that many processors; what is only for reports is ignored. */
void model_ready_start(unsigned processors);

/* The program of such a processor: run tasks until all that were made have ended. */
void model_ready_run(void);

/* Whether a deadline has come that timer_expire() looks for: only with the real timers. Without a step. */
bool model_timer_is_due(const struct scheduler *scheduler);

/* The program of one more processor: let deadlines pass. */
void model_time_run(void);

/* For cases with a bound on chains of exchanges: how often this processor looked for the next task on the list, and a
 * number that identifies the task that has been on it the longest, different each time; 0: nothing is ready. */
unsigned model_ready_dispatches(void);
unsigned model_ready_oldest(void);

/* From now on there is no memory for a timer, or there is again. */
void model_timer_none(bool none);

/* For a task, instead of a loop that yields until ready(argument) holds: other tasks run, and it is ready at any
 * moment at which that holds. Sees memory, not store buffers. */
void model_yield_until(bool (*ready)(void *), void *argument);

/* The same in a finalizer, for the task that was left. */
void model_publish_when(struct task *left, bool (*ready)(void *), void *argument);

/* For waits of the programs: whether all tasks that were made have ended. */
bool model_all_ended(void *unused);

#endif
