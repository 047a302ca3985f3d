/*
 * The lock under test on Linux, instead of user/bench/lock_choice.h: there is only the pthread mutex.
 */
#ifndef USER_BENCH_LOCK_CHOICE_H
#define USER_BENCH_LOCK_CHOICE_H

#include "heddle/mutex.h"
#include "heddle/program.h"

#define LOCK_VARIANTS 1 /* a program's own choices come after these */

#define LOCK_PARAMETERS_OR(more)                                                         \
	{                                                                                    \
		"lock", .help = "which lock", .choices = "pthread" more, .older_name = "variant" \
	}
#define LOCK_PARAMETERS LOCK_PARAMETERS_OR("")

struct chosen_mutex {
	struct mutex mutex;
};

static inline bool chosen_mutex_create(struct chosen_mutex *mutex, struct program_run *run)
{
	(void)run;
	*mutex = (struct chosen_mutex){HEDDLE_MUTEX_INITIALIZER};
	return true;
}

static inline void chosen_mutex_destroy(struct chosen_mutex *mutex)
{
	(void)mutex;
}

static inline void chosen_mutex_lock(struct chosen_mutex *mutex)
{
	mutex_lock(&mutex->mutex);
}

static inline void chosen_mutex_unlock(struct chosen_mutex *mutex)
{
	mutex_unlock(&mutex->mutex);
}

#endif
