/*
 * The three locks of sync/strategy/ behind one interface, for their tests.
 */
#ifndef USER_TEST_STRATEGY_H
#define USER_TEST_STRATEGY_H

#include "heddle/ttas_lock.h"
#include "heddle/ttas_mcs_lock.h"

#define STRATEGY_QUEUES 3

struct strategy_lock {
	union {
		struct ttas_lock ttas;
		struct mcs_lock mcs;
		struct ttas_mcs_lock cohort;
	};
	struct ttas_mcs_queue queues[STRATEGY_QUEUES];
};

struct strategy_kind {
	const char *name;
	enum heddle_error (*create)(struct strategy_lock *lock, const struct waiting_strategy *strategy);
	enum heddle_error (*lock)(struct strategy_lock *lock);
	enum heddle_error (*try_lock)(struct strategy_lock *lock);
	enum heddle_error (*unlock)(struct strategy_lock *lock);
	enum heddle_error (*destroy)(struct strategy_lock *lock);
	struct waiting_lock *(*common)(struct strategy_lock *lock);
	bool suspends; /* its waiters are suspended, if the strategy allows it */
};

/* TTAS, MCS, cohort with one queue, with several by processor, by node, at random. */
#define STRATEGY_KINDS 6
extern const struct strategy_kind strategy_kinds[STRATEGY_KINDS];

/* All strategies that are allowed if sections switch. */
#define STRATEGY_LETTERS 7
extern const char *const strategy_letters[STRATEGY_LETTERS];

#endif
