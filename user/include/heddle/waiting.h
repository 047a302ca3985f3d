/*
 * How a task waits for a lock: it spins for a little while, then it yields, then it is suspended until it is
 * given the lock (lock-algorithms paper, section 3.1). Each stage can be left out. Three letters name what is
 * left, as in the paper: SYS all three, *YS no spinning, SY* no suspending, and so on.
 *
 * The locks that wait so are ttas_lock.h, mcs_lock.h and ttas_mcs_lock.h. Where a lock has no place in which
 * to be given it (a TTAS lock, and those who are first in a queue of a TTAS-MCS lock), nobody is suspended:
 * that stage yields instead. So **S and S*S yield there, too.
 *
 * Who yields runs whenever its turn comes, also if there is nothing else to do, and no report can say what it
 * waits for; who is suspended costs nothing, and is in each report.
 */
#ifndef HEDDLE_WAITING_H
#define HEDDLE_WAITING_H

#include "heddle/lock.h"

HEDDLE_BEGIN

/* The stages. Of the limits 0 is the default. */
struct waiting_strategy {
	bool spins, yields, suspends;
	/* The lock's sections are uncooperative: nothing in them may wait or switch, and no check switches their
	 * task away. Only then may a lock be waited for by spinning alone. */
	bool uncooperative;
	uint32_t spins_maximum; /* turns of spinning; each is twice as long as the one before, */
	uint32_t spin_longest;  /* but has so many pauses at most */
	uint32_t yields_maximum;
};

#define HEDDLE_WAITING_SPINS_MAXIMUM  2
#define HEDDLE_WAITING_SPIN_LONGEST   16
#define HEDDLE_WAITING_YIELDS_MAXIMUM 4

/* What a lock has whose strategy is NULL. */
extern const struct waiting_strategy waiting_default;

/* Three letters into stages, with the limits of the default: S or *, Y or *, S or *. HEDDLE_BAD_ARGUMENT: it
 * is anything else, or ***, which would not wait at all. */
enum heddle_error waiting_parse(const char *letters, struct waiting_strategy *strategy);

/* Why no lock can have this strategy, as a sentence for a person; NULL: it can. */
const char *waiting_refusal(const struct waiting_strategy *strategy);

/* Sections entered at once, and after waiting that ended while the task spun, yielded or was suspended. Exact
 * while nobody uses the lock. */
struct waiting_counters {
	uint64_t at_once, spun, yielded, suspended;
};

/* What each of these locks has. */
struct waiting_lock {
	HEDDLE_ATOMIC(struct task *) owner;
	const struct waiting_strategy *strategy; /* NULL: waiting_default */
	struct waiting_counters counters;        /* the holder's */
};

HEDDLE_END

#endif
