/*
 * What the processors counted since boot.
 */
#ifndef SCHED_STATISTICS_H
#define SCHED_STATISTICS_H

/* A log line for each processor and one for all together: switches, implicit ones, taken tasks, wake-ups
 * sent, idle time, looks at the hazard slots. */
void statistics_report(void);

#endif
