/*
 * The program `statistics`: what each processor has counted since boot.
 */
#include "heddle/program.h"
#include "sched/statistics.h"

static const struct program_parameter parameters[] = {{0}};

static bool run(struct program_run *unused)
{
	(void)unused;
	statistics_report();
	return true;
}

HEDDLE_PROGRAM(
    statistics,
    "what each processor has counted: switches, implicit ones, tasks taken, wake-ups, idle time, hazard "
    "scans",
    parameters, run);
