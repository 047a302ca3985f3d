/*
 * Reports, in the log, what each task does or waits for, and which tasks wait for each other in a circle.
 */
#ifndef SCHED_REPORT_H
#define SCHED_REPORT_H

#include <stdbool.h>

/* Report each task, its state and what it waits for, with log=debug also where; then each circle of tasks and the
 * locks between them. `quiet`: no task runs meanwhile. If tasks run, what is said of them may be outdated. */
void report_tasks(bool quiet);

/* When no task runs: say how many are ready and in no ready queue, which only a queue of one's own can bring about.
 * Returns how many. */
unsigned report_lost(void);

/* As report_tasks() while others run, and what each other processor runs, which says so by itself. On the
 * processor's own stack. */
void report_all(void);

#endif
