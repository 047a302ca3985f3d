/*
 * The queue lock of Mellor-Crummey and Scott for tasks (lock-algorithms paper, Listings 1 and 2): each waiting task
 * has a place of its own in a queue, on its stack, and looks only at that place. It spins, then yields, then is
 * suspended until the one before hands it the lock. First come, first served.
 *
 * As in heddle/ttas_lock.h, task_cancel() does not end the wait, and a holder that ends keeps the lock. There is no
 * lock_until: a task can leave the queue only when its turn has come, because the places before and behind refer to
 * its own.
 */
#ifndef HEDDLE_MCS_LOCK_H
#define HEDDLE_MCS_LOCK_H

#include "heddle/waiting.h"

HEDDLE_BEGIN

/* A place in a queue; see sync/strategy/mcs_queue.h. */
struct mcs_place {
	HEDDLE_ATOMIC(uintptr_t) resume_handle;
	HEDDLE_ATOMIC(struct mcs_place *) next;
};

/* What a queue whose strategy adapts has learnt; see sync/strategy/awake.h. What each first task writes comes first,
 * where its line has the queue as well. */
struct mcs_awake {
	uint32_t unseen;                /* so many first tasks look at nothing of this */
	HEDDLE_ATOMIC(int32_t) room;    /* how many of those that come now stay awake */
	HEDDLE_ATOMIC(uint32_t) stages; /* which stages come before the suspension */
	/* The first task's. */
	struct mcs_place *last; /* the last place that is known to be awake; NULL: none behind the first */
	uint32_t count;         /* of places behind the first, up to that one */
	uint32_t entries;       /* of tasks that have waited */
	uint8_t level;          /* 0: nothing is known yet */
	bool tries;             /* the level is one on trial */
	bool timed;             /* `entered` is the time of the entry before */
	bool all_woken;
	uint8_t window_level;   /* the last one with which not all were awake */
	uint8_t back;           /* of a trial: the level before */
	int8_t direction;       /* of the next trial */
	uint16_t patience;      /* how many blocks come between two trials */
	uint16_t far_patience;  /* the same for the other way, in lengths of the last trial */
	uint16_t spun, yielded; /* which part of the waits ended there lately */
	uint16_t rested;        /* how often a processor had nothing to do */
	uint32_t left_out;      /* entries until the next one counts: what came before shows still */
	uint32_t counted;       /* entries of this block, */
	uint64_t sum;           /* and how long they took, together */
	uint64_t usual;         /* what an entry takes with this level, times a block's entries */
	uint64_t entered;       /* clock */
	uint32_t blocks_left;   /* until the next level is tried */
	uint32_t far_at;        /* entries, from which on the other way is tried: all awake, or not */
	uint32_t tried_at;      /* entries, when the trial began */
	/* Those that wait look at it again and again: nothing that is written often may be on its cache line. */
	char apart[64];
	HEDDLE_ATOMIC(bool) all; /* all stay awake */
	char apart_too[63];
};

struct mcs_queue {
	HEDDLE_ATOMIC(struct mcs_place *) tail;
	struct mcs_place first; /* of the first task, whose own place is gone by then */
	struct mcs_awake awake;
};

struct mcs_lock {
	struct mcs_queue queue;
	struct waiting_lock common;
};
#define HEDDLE_MCS_LOCK_INITIALIZER HEDDLE_ZEROED

/* Initialize a free lock with that strategy, which must outlive it; NULL: the default. HEDDLE_BAD_ARGUMENT:
 * waiting_refusal() says why; the lock then has the default. */
enum heddle_error mcs_lock_create(struct mcs_lock *lock, const struct waiting_strategy *strategy);

/* Hold the lock. HEDDLE_RELOCKED: the caller holds it already; HEDDLE_UNCOOPERATIVE. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error mcs_lock_lock(struct mcs_lock *lock);

/* The same without waiting. HEDDLE_BUSY: it is held or awaited; HEDDLE_RELOCKED. */
enum heddle_error mcs_lock_try_lock(struct mcs_lock *lock);

/* Give it to the next task. HEDDLE_NOT_OWNER: the caller does not hold it; nothing was changed. */
HEDDLE_DEEP HEDDLE_MAY_WAKE enum heddle_error mcs_lock_unlock(struct mcs_lock *lock);

/* Declare that it is not used any more. HEDDLE_IN_USE: it is held or awaited; nothing was changed. */
enum heddle_error mcs_lock_destroy(struct mcs_lock *lock);

HEDDLE_END

#endif
