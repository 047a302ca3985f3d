#include "user/test/strategy.h"

#define COMMON(prefix, type, member)                                           \
	static enum heddle_error prefix##_lock_any(struct strategy_lock *lock)     \
	{                                                                          \
		return type##_lock(&lock->member);                                     \
	}                                                                          \
	static enum heddle_error prefix##_try_lock_any(struct strategy_lock *lock) \
	{                                                                          \
		return type##_try_lock(&lock->member);                                 \
	}                                                                          \
	static enum heddle_error prefix##_unlock_any(struct strategy_lock *lock)   \
	{                                                                          \
		return type##_unlock(&lock->member);                                   \
	}                                                                          \
	static enum heddle_error prefix##_destroy_any(struct strategy_lock *lock)  \
	{                                                                          \
		return type##_destroy(&lock->member);                                  \
	}                                                                          \
	static struct waiting_lock *prefix##_common(struct strategy_lock *lock)    \
	{                                                                          \
		return &lock->member.common;                                           \
	}

COMMON(ttas, ttas_lock, ttas)
COMMON(mcs, mcs_lock, mcs)
COMMON(cohort, ttas_mcs_lock, cohort)

static enum heddle_error ttas_create(struct strategy_lock *lock, const struct waiting_strategy *strategy)
{
	return ttas_lock_create(&lock->ttas, strategy);
}

static enum heddle_error mcs_create(struct strategy_lock *lock, const struct waiting_strategy *strategy)
{
	return mcs_lock_create(&lock->mcs, strategy);
}

static enum heddle_error cohort_create_single(struct strategy_lock *lock,
                                              const struct waiting_strategy *strategy)
{
	return ttas_mcs_lock_create(&lock->cohort, strategy, NULL, 0, HEDDLE_TTAS_MCS_PROCESSOR);
}

static enum heddle_error create_with(struct strategy_lock *lock, const struct waiting_strategy *strategy,
                                     enum heddle_ttas_mcs_choice choice)
{
	for (unsigned i = 0; i < STRATEGY_QUEUES; i++)
		lock->queues[i] = (struct ttas_mcs_queue){0};
	return ttas_mcs_lock_create(&lock->cohort, strategy, lock->queues, STRATEGY_QUEUES, choice);
}

static enum heddle_error cohort_create_by_processor(struct strategy_lock *lock,
                                                    const struct waiting_strategy *strategy)
{
	return create_with(lock, strategy, HEDDLE_TTAS_MCS_PROCESSOR);
}

static enum heddle_error cohort_create_by_node(struct strategy_lock *lock,
                                               const struct waiting_strategy *strategy)
{
	return create_with(lock, strategy, HEDDLE_TTAS_MCS_NODE);
}

static enum heddle_error cohort_create_at_random(struct strategy_lock *lock,
                                                 const struct waiting_strategy *strategy)
{
	return create_with(lock, strategy, HEDDLE_TTAS_MCS_RANDOM);
}

#define KIND(prefix, maker, suspends)                                                                       \
	{                                                                                                       \
#		maker, maker, prefix##_lock_any, prefix##_try_lock_any, prefix##_unlock_any, prefix##_destroy_any, \
		    prefix##_common, suspends                                                                       \
	}

const struct strategy_kind strategy_kinds[STRATEGY_KINDS] = {
    KIND(ttas, ttas_create, false),
    KIND(mcs, mcs_create, true),
    KIND(cohort, cohort_create_single, true),
    KIND(cohort, cohort_create_by_processor, true),
    KIND(cohort, cohort_create_by_node, true),
    KIND(cohort, cohort_create_at_random, true),
};

const char *const strategy_letters[STRATEGY_LETTERS] = {"SYS", "SY*", "S*S", "*YS", "*Y*", "**S", "adaptive"};
