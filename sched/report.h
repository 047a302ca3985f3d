/*
 * What each task does or waits for, in the log, and who waits for whom in a circle.
 */
#ifndef SCHED_REPORT_H
#define SCHED_REPORT_H

#include <stdbool.h>

/* Each task, its state and what it waits for, with log=debug also where; then each circle of tasks and the
 * locks between them. `quiet`: no task runs meanwhile. Else what is said of one that goes on meanwhile may be
 * outdated. */
void report_tasks(bool quiet);

/* The same while others run, and what each other processor runs, which says so by itself. On the processor's own
 * stack. */
void report_all(void);

#endif
