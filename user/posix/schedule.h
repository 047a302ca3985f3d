/*
 * Policies and priorities of <sched.h> as Heddle's levels: SCHED_FIFO and SCHED_RR are above all others, their upper
 * half of priorities above the lower.
 */
#ifndef POSIX_SCHEDULE_H
#define POSIX_SCHEDULE_H

#include <stdbool.h>

#include "heddle/task.h"

enum heddle_priority schedule_level(int policy, int priority);

/* Whether there is such a policy with such a priority. */
bool schedule_is_valid(int policy, int priority);

#endif
