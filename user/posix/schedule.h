/*
 * Policies and priorities of <sched.h> as Heddle's levels: SCHED_FIFO and SCHED_RR are above all others, and the
 * upper half of their priorities is above the lower half.
 */
#ifndef POSIX_SCHEDULE_H
#define POSIX_SCHEDULE_H

#include <stdbool.h>

#include "heddle/task.h"

enum heddle_priority schedule_level(int policy, int priority);

/* Whether there is such a policy with such a priority. */
bool schedule_is_valid(int policy, int priority);

#endif
