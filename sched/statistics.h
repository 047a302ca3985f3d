/*
 * What the processors counted since boot.
 */
#ifndef SCHED_STATISTICS_H
#define SCHED_STATISTICS_H

#include <stdint.h>

/* The counters of one processor, or of all; see struct scheduler_counters. */
struct statistics {
	uint64_t switches, implicit, inside, extended, taken, wakes, idle, idles, interrupts;
	uint64_t scans; /* looks at the hazard slots */
};

/* The sum over all processors. Exact for what happened before the call. */
struct statistics statistics_sum(void);

/* A log line for each processor and one for all together. */
void statistics_report(void);

#endif
