/*
 * The lock around the store of the benchmark `store`, and how an operation uses it:
 *   exchange   heddle/reader_writer_lock.h
 *   mutex      heddle/mutex.h, also for lookups; the same holds for the next four
 *   dispatch   sync/baseline/dispatch_mutex.h
 *   ttas, mcs, cohort   sync/strategy/, with the default way to wait; the cohort with STORE_QUEUES queues
 *   cc-synch   sync/baseline/ccsynch_lock.h, lookups, too, are sections that one task runs for others
 *   dr-mcs     sync/baseline/drmcs_lock.h
 *   qd         heddle/qd_lock.h; lookups are delegated and waited for
 *   hqd        heddle/hqd_lock.h, with a queue for each node; the same
 *   mrqd       heddle/mrqd_lock.h
 *   any other name   a lock of one's own (sync/added_lock.h)
 * For qd, hqd and mrqd, inserts and deletes use one of the delegation paper's three porting steps (section 5.1):
 *   wait       delegated and waited for
 *   allocate   detached, with a node made outside
 *   copy       detached, with key and value written into the queue
 */
#ifndef USER_BENCH_STORE_LOCK_H
#define USER_BENCH_STORE_LOCK_H

#include "heddle/hqd_lock.h"
#include "heddle/mrqd_lock.h"
#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/ttas_lock.h"
#include "heddle/ttas_mcs_lock.h"
#include "sync/added_lock.h"
#include "sync/baseline/ccsynch_lock.h"
#include "sync/baseline/dispatch_mutex.h"
#include "sync/baseline/drmcs_lock.h"
#include "user/bench/store_set.h"

enum store_lock_kind {
	LOCK_EXCHANGE,
	LOCK_MUTEX,
	LOCK_DISPATCH,
	LOCK_TTAS,
	LOCK_MCS,
	LOCK_COHORT,
	LOCK_CCSYNCH,
	LOCK_DRMCS,
	LOCK_QD,
	LOCK_HQD,
	LOCK_MRQD,
	LOCK_ADDED
};
enum store_step { STEP_WAIT, STEP_ALLOCATE, STEP_COPY };

/* The choices of the parameters `lock` and `step`, in the order of the two. */
#define STORE_LOCKS "exchange|mutex|dispatch|ttas|mcs|cohort|cc-synch|dr-mcs|qd|hqd|mrqd"
#define STORE_STEPS "wait|allocate|copy"

#define STORE_QUEUES 8

struct store_lock {
	enum store_lock_kind kind;
	enum store_step step;
	struct ccsynch_node *nodes; /* LOCK_CCSYNCH: one for each user, plus one */
	size_t node_count;
	struct qd_slot *slots; /* LOCK_QD, LOCK_HQD, LOCK_MRQD */
	size_t slot_count;
	struct ttas_mcs_queue queues[STORE_QUEUES]; /* LOCK_COHORT */
	union {
		struct reader_writer_lock exchange;
		struct mutex mutex;
		struct dispatch_mutex dispatch;
		struct ttas_lock ttas;
		struct mcs_lock mcs;
		struct ttas_mcs_lock cohort;
		struct ccsynch_lock ccsynch;
		struct drmcs_lock drmcs;
		struct qd_lock qd;
		struct hqd_lock hqd;
		struct mrqd_lock mrqd;
		struct added_lock added;
	};
};

struct store_lock_options {
	enum store_lock_kind kind;
	size_t added; /* LOCK_ADDED: its place in heddle_locks() */
	enum store_step step;
	size_t users, slots; /* slots: of each queue */
	uint32_t limit;      /* sections that a helper runs */
};

enum heddle_error store_lock_create(struct store_lock *lock, const struct store_lock_options *options);
void store_lock_destroy(struct store_lock *lock);

/* The size of a delegated insert in STEP_COPY, in bytes. */
size_t store_message_size(size_t value_size);

enum store_operation_kind { LOOK_UP, INSERT, DELETE };

struct store_operation {
	enum store_operation_kind kind;
	struct store *store;
	uint64_t key;
	const uint64_t *value;      /* INSERT */
	struct ccsynch_node **mine; /* of the user */
	bool wrong;                 /* LOOK_UP: whether what was found is wrong */
};

/* The first node of the user with that number, which is less than `users`. */
struct ccsynch_node *store_lock_node(const struct store_lock *lock, size_t user);

/* Do it under the lock. It is done when this returns if it is a lookup, or if the step is STEP_WAIT; otherwise later,
 * but before later operations of the same user. After any error it was not done. */
HEDDLE_MAY_SWITCH enum heddle_error store_lock_do(struct store_lock *lock, struct store_operation *operation);

#endif
