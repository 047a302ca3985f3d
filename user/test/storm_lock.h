/*
 * The storm's locks, all behind one interface. They are ordered by their place in storm_locks: a task that holds one
 * waits only for later ones, so no tasks wait in a circle.
 */
#ifndef USER_TEST_STORM_LOCK_H
#define USER_TEST_STORM_LOCK_H

#include "heddle/hqd_lock.h"
#include "heddle/mrqd_lock.h"
#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "heddle/ttas_lock.h"
#include "heddle/ttas_mcs_lock.h"
#include "user/test/storm.h"

#define STORM_LOCKS        16
#define STORM_DELEGATES    4 /* how many of these, at the end, are delegation locks */
#define STORM_SLOTS        16
#define STORM_SLOTS_FEWEST 4 /* the range of slots in their queues */
#define STORM_NODES        2
#define STORM_COHORTS      2

struct storm_lock;

/* The operations of a kind of lock; NULL: not possible. */
struct storm_lock_kind {
	const char *name;
	bool cancels;     /* task_cancel() ends the wait */
	bool dies;        /* a holder that ends gives it up, and the next holders are told, */
	bool partly_told; /* or only some of them */
	bool (*create)(struct storm_lock *lock);
	enum heddle_error (*lock)(struct storm_lock *lock);
	enum heddle_error (*lock_until)(struct storm_lock *lock, uint64_t deadline);
	enum heddle_error (*try_lock)(struct storm_lock *lock);
	enum heddle_error (*unlock)(struct storm_lock *lock);
	enum heddle_error (*repair)(struct storm_lock *lock);
	enum heddle_error (*destroy)(struct storm_lock *lock);
	enum heddle_error (*read_lock_until)(struct storm_lock *lock, uint64_t deadline);
	enum heddle_error (*read_try_lock)(struct storm_lock *lock);
	enum heddle_error (*read_unlock)(struct storm_lock *lock);
	enum heddle_error (*delegate)(struct storm_lock *lock, qd_section section, size_t size,
	                              const void *message);
	enum heddle_error (*delegate_wait)(struct storm_lock *lock, qd_section section, size_t size,
	                                   void *message);
	enum heddle_error (*delegate_or_lock)(struct storm_lock *lock, size_t size, void **buffer);
	enum heddle_error (*close_buffer)(struct storm_lock *lock, void *buffer, qd_section section);
};

/* What a lock, and nothing else, protects. */
struct storm_guarded {
	struct task *inside; /* NULL: none */
	uint64_t count, copies[4];
	bool broken; /* a holder has ended inside */
	_Atomic unsigned readers;
	_Atomic uint64_t visits; /* expected count */
};

struct storm_lock {
	const struct storm_lock_kind *kind;
	union {
		struct mutex mutex;
		struct reader_writer_lock reader_writer;
		struct semaphore semaphore;
		struct ttas_lock ttas;
		struct mcs_lock mcs;
		struct ttas_mcs_lock cohort;
		struct qd_lock qd;
		struct mrqd_lock mrqd;
		struct hqd_lock hqd;
	};
	struct storm_guarded guarded;
	struct ttas_mcs_queue queues[STORM_COHORTS];
	struct waiting_strategy strategy;
	struct qd_slot slots[STORM_NODES * STORM_SLOTS];
	/* Delegation (storm_delegation.c): the sections of each worker that have run, protected by the lock, and those
	 * that the worker delegated; then the same for sections delegated by sections, of all workers together. */
	uint64_t carried_out[STORM_WORKERS_MAXIMUM], told[STORM_WORKERS_MAXIMUM];
	_Atomic uint64_t nested_carried_out, nested_told;
};

extern struct storm_lock *storm_locks; /* STORM_LOCKS of them */

bool storm_locks_prepare(void);
void storm_locks_finish(void);

/* Each task uses one of an hqd_lock's queues; this chooses different ones on any machine. */
void storm_node_choose(unsigned number);

/* Take the lock in one of its ways; false: it was not available. */
bool storm_lock_take(struct storm_task *self, struct storm_lock *lock, bool reads, enum heddle_error *error);

/* Begin to use what it protects, after storm_lock_take() returned this error: check that the caller is alone, and
 * repair what a holder that ended has left. False: that stays broken, and must not be used. */
bool storm_lock_enter(struct storm_task *self, struct storm_lock *lock, bool reads, enum heddle_error error);
void storm_lock_leave(struct storm_lock *lock, bool reads);

/* For a task that is about to end: hold some locks, and leave what they protect in the middle of a change. */
void storm_nest_die(struct storm_task *self);

/* For a task that is about to fault: leave a buffer of a lock's queue open, or hold that lock.
 * (storm_delegation.c) */
void storm_buffer_leave(struct storm_task *self);

/* Give up the lock in one of its ways. */
void storm_lock_release(struct storm_task *self, struct storm_lock *lock, bool reads);

#endif
