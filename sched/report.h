/*
 * Reports, in the log, what each task does or waits for, and which tasks wait for each other in a circle.
 */
#ifndef SCHED_REPORT_H
#define SCHED_REPORT_H

#include <stdbool.h>

/* Report each task, its state and what it waits for, with log=debug also where; then each circle of tasks and the
 * locks between them. `quiet`: no task runs meanwhile. If tasks run, what is said of them may be outdated. */
void report_tasks(bool quiet);

/* When no task runs: report how many are ready but in no ready queue, which only a queue from outside the tree can
 * cause. Returns how many. */
unsigned report_lost(void);

/* As report_tasks() while tasks run. Each other processor itself reports what it runs. On the processor's own stack. */
void report_all(void);

#endif
