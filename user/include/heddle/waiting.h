/*
 * How a task waits for a lock: it spins for a little while, then it yields, then it is suspended until it is handed
 * the lock (lock-algorithms paper, section 3.1). Each stage can be left out. Three letters name the stages that are
 * used, as in the paper: SYS all three, *YS no spinning, SY* no suspending, and so on.
 *
 * The locks with these strategies are ttas_lock.h, mcs_lock.h and ttas_mcs_lock.h. Where a lock has no place to hand
 * it over (a TTAS lock, and the first task in a queue of a TTAS-MCS lock), no task is suspended: that stage yields
 * instead. So **S and S*S yield there, too. Nor does anything adapt there.
 *
 * A yielding task runs whenever its turn comes, even if there is nothing else to do, and no report can say what it
 * waits for. A suspended task costs nothing, and is in each report.
 */
#ifndef HEDDLE_WAITING_H
#define HEDDLE_WAITING_H

#include "heddle/lock.h"

HEDDLE_BEGIN

/* The stages. A limit of 0 means the default. */
struct waiting_strategy {
	bool spins, yields, suspends;
	/* The lock chooses, from what its waits have taken lately: which stages are worth their while, and how many of
	 * those that wait next stay awake. The limits below are then the most that it chooses. All stages must be there. */
	bool adapts;
	/* The lock's sections are uncooperative: nothing in them may wait or switch, and no check switches the task away.
	 * Only then may tasks wait by spinning alone. */
	bool uncooperative;
	uint32_t spins_maximum; /* turns of spinning; each is twice as long as the one before, */
	uint32_t spin_longest;  /* but has at most this many pauses */
	uint32_t yields_maximum;
};

#define HEDDLE_WAITING_SPINS_MAXIMUM  2
#define HEDDLE_WAITING_SPIN_LONGEST   16
#define HEDDLE_WAITING_YIELDS_MAXIMUM 4
/* What a task that is kept awake may yield, before it is suspended all the same: so a deadlock is still found. */
#define HEDDLE_WAITING_AWAKE_MAXIMUM 20000

/* The strategy of a lock whose strategy is NULL. */
extern const struct waiting_strategy waiting_default;

/* Parse three letters into stages, with the default limits: S or *, Y or *, S or *; or the word `adaptive`.
 * HEDDLE_BAD_ARGUMENT: anything else, or ***, which would not wait at all. */
enum heddle_error waiting_parse(const char *letters, struct waiting_strategy *strategy);

/* Why no lock can have this strategy, as a sentence; NULL: it is valid. */
const char *waiting_refusal(const struct waiting_strategy *strategy);

/* How many sections were entered at once, and how many after waiting that ended while the task spun, yielded or was
 * suspended. Exact while the lock is not in use. */
struct waiting_counters {
	uint64_t at_once, spun, yielded, suspended;
};

/* Part of each of these locks. */
struct waiting_lock {
	HEDDLE_ATOMIC(struct task *) owner;      /* for reports */
	struct waiting_lock *entered_next;       /* the holder's: its other locks of these kinds */
	const struct waiting_strategy *strategy; /* NULL: waiting_default */
	struct waiting_counters counters;        /* the holder's */
};

HEDDLE_END

#endif
