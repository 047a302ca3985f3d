/*
 * The condition inside a monitor, for the mutex under test (lock_choice.h). With Heddle's own mutex it is
 * heddle/condition.h, which moves notified tasks to the mutex's queue. The others have no condition of their own: a
 * notified task is resumed, and then locks the mutex like any other.
 *
 * All functions are called with the mutex held.
 */
#ifndef USER_BENCH_CONDITION_CHOICE_H
#define USER_BENCH_CONDITION_CHOICE_H

#include "heddle/condition.h"
#include "user/bench/lock_choice.h"

struct condition_waiter;

/* Zeroed before its first use. */
struct chosen_condition {
	struct condition exchange;
	struct condition_waiter *first, *last; /* of the other variants */
};

/* Give up the mutex until notified, and hold it again: test the condition in a loop. */
HEDDLE_MAY_SWITCH void chosen_condition_wait(struct chosen_condition *condition, struct chosen_mutex *mutex);

/* End the wait of the task that has waited longest, or of all. */
HEDDLE_MAY_SWITCH void chosen_condition_notify_one(struct chosen_condition *condition,
                                                   struct chosen_mutex *mutex);
HEDDLE_MAY_SWITCH void chosen_condition_notify_all(struct chosen_condition *condition,
                                                   struct chosen_mutex *mutex);

#endif
