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
struct task;

/* In a set-up: the schedulers of so many processors; what is only for reports is ignored. */
void model_ready_start(unsigned processors);

/* Of such a processor: run tasks until all that were made have ended. */
void model_ready_run(void);

/* Of one more processor: let deadlines pass. */
void model_time_run(void);

/* For waits of the programs: whether all tasks that were made have ended. */
bool model_all_ended(void *unused);

#endif
