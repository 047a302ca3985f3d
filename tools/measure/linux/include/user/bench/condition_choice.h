/*
 * The condition inside a monitor on Linux, instead of user/bench/condition_choice.h: a pthread condition.
 */
#ifndef USER_BENCH_CONDITION_CHOICE_H
#define USER_BENCH_CONDITION_CHOICE_H

#include "heddle/condition.h"
#include "user/bench/lock_choice.h"

/* Zeroed before its first use. */
struct chosen_condition {
	struct condition condition;
};

static inline void chosen_condition_wait(struct chosen_condition *condition, struct chosen_mutex *mutex)
{
	condition_wait(&condition->condition, &mutex->mutex);
}

static inline void chosen_condition_notify_one(struct chosen_condition *condition, struct chosen_mutex *mutex)
{
	(void)mutex;
	condition_notify_one(&condition->condition);
}

static inline void chosen_condition_notify_all(struct chosen_condition *condition, struct chosen_mutex *mutex)
{
	(void)mutex;
	condition_notify_all(&condition->condition);
}

#endif
