/*
 * The lock under test, chosen by the parameter `lock`. `exchange` is Heddle's own (heddle/mutex.h,
 * heddle/reader_writer_lock.h); `strict` is its mutex with a hand-over at each unlock, as in the exchange paper;
 * `dispatch`, `inline` and `ces-spin` are the baselines (sync/baseline/); `ttas`, `mcs` and `cohort` spin, yield and
 * then suspend (sync/strategy/), as further parameters say. All have the same interface. All except `ttas` and
 * `cohort` serve waiting tasks in the order in which they came. Any other name is that of a lock of one's own
 * (sync/added_lock.h).
 *
 * Each function branches on the variant, always the same way, and calls the lock directly by name. So the plugin
 * knows that the call may switch, and the lock itself is measured. Errors are ignored: a task that got one does not
 * hold the lock alone, and the program's own check detects that.
 */
#ifndef USER_BENCH_LOCK_CHOICE_H
#define USER_BENCH_LOCK_CHOICE_H

#include "heddle/mutex.h"
#include "heddle/program.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/ttas_lock.h"
#include "heddle/ttas_mcs_lock.h"
#include "sync/added_lock.h"
#include "sync/baseline/dispatch_mutex.h"
#include "sync/baseline/dispatch_reader_writer_lock.h"
#include "sync/baseline/inline_mutex.h"
#include "sync/baseline/inline_reader_writer_lock.h"
#include "sync/baseline/spin_mutex.h"
#include "sync/baseline/spin_reader_writer_lock.h"

enum lock_variant {
	VARIANT_EXCHANGE,
	VARIANT_DISPATCH,
	VARIANT_INLINE,
	VARIANT_CES_SPIN,
	VARIANT_TTAS,
	VARIANT_MCS,
	VARIANT_COHORT,
	VARIANT_STRICT,
	VARIANT_ADDED /* a lock of one's own; comes behind a program's own choices */
};
#define LOCK_VARIANTS VARIANT_ADDED /* a program's own choices come after these */

/* The parameters of all programs that measure locks; a program that measures something else as well adds its own. The
 * choices are in the order of enum lock_variant, and of enum heddle_ttas_mcs_choice. */
#define READER_WRITER_CHOICES "exchange|dispatch|inline|ces-spin"
#define LOCK_PARAMETER(list)                                                                      \
	{                                                                                             \
		"lock", .help = "which lock", .choices = (list), .older_name = "variant", .is_lock = true \
	}
#define READER_WRITER_PARAMETER LOCK_PARAMETER(READER_WRITER_CHOICES)
#define LOCK_PARAMETERS_OR(more)                                                                       \
	LOCK_PARAMETER(READER_WRITER_CHOICES "|ttas|mcs|cohort|strict" more),                              \
	    {"waiting", .help = "ttas, mcs, cohort: the stages of waiting, spin, yield, suspend",          \
	     .choices = LOCK_WAITING},                                                                     \
	    {"spins", HEDDLE_WAITING_SPINS_MAXIMUM, 1, 1000000, "turns of spinning, each twice as long"},  \
	    {"yields", HEDDLE_WAITING_YIELDS_MAXIMUM, 1, 1000000, "yields, before the task is suspended"}, \
	    {"queues", 8, 1, LOCK_QUEUES_MAXIMUM, "cohort: how many queues"},                              \
	{                                                                                                  \
		"queue", .help = "cohort: the queue that a task joins", .choices = "processor|node|random"     \
	}
#define LOCK_PARAMETERS     LOCK_PARAMETERS_OR("")
#define LOCK_QUEUES_MAXIMUM 64
#define LOCK_WAITING        "SYS|SY*|S*S|S**|*YS|*Y*|**S|adaptive"

struct chosen_mutex {
	enum lock_variant variant;
	uint32_t count;                /* cohort: its queues */
	struct ttas_mcs_queue *queues; /* NULL: none */
	struct waiting_strategy strategy;
	/* What is read each time is not on the lock's lines, nor is what surrounds all this. */
	_Alignas(128) union {
		struct mutex exchange;
		struct dispatch_mutex dispatch;
		struct inline_mutex inlining;
		struct spin_mutex spin;
		struct ttas_lock ttas;
		struct mcs_lock mcs;
		struct ttas_mcs_lock cohort;
		struct added_lock added;
	};
};

struct chosen_reader_writer_lock {
	enum lock_variant variant;
	_Alignas(128) union {
		struct reader_writer_lock exchange;
		struct dispatch_reader_writer_lock dispatch;
		struct inline_reader_writer_lock inlining;
		struct spin_reader_writer_lock spin;
		struct added_lock added;
	};
};

/* Create it from the program's parameters. False: there is no such lock, and the program has failed. It must not move
 * afterwards. */
bool chosen_mutex_create(struct chosen_mutex *mutex, struct program_run *run);

/* When it is not used any more; also for a zeroed one. */
void chosen_mutex_destroy(struct chosen_mutex *mutex);

/* Whether it is Heddle's own, `mutex->exchange`. */
static inline bool chosen_mutex_is_own(const struct chosen_mutex *mutex)
{
	return mutex->variant == VARIANT_EXCHANGE || mutex->variant == VARIANT_STRICT;
}

/* How tasks have waited; NULL: this lock does not count that. */
const struct waiting_counters *chosen_mutex_counters(const struct chosen_mutex *mutex);

/* Likewise. */
void chosen_reader_writer_lock_create(struct chosen_reader_writer_lock *lock, struct program_run *run);

HEDDLE_MAY_SWITCH static inline void chosen_mutex_lock(struct chosen_mutex *mutex)
{
	switch (mutex->variant) {
	case VARIANT_EXCHANGE:
	case VARIANT_STRICT:
		mutex_lock(&mutex->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_mutex_lock(&mutex->dispatch);
		break;
	case VARIANT_INLINE:
		inline_mutex_lock(&mutex->inlining);
		break;
	case VARIANT_CES_SPIN:
		spin_mutex_lock(&mutex->spin);
		break;
	case VARIANT_TTAS:
		ttas_lock_lock(&mutex->ttas);
		break;
	case VARIANT_MCS:
		mcs_lock_lock(&mutex->mcs);
		break;
	case VARIANT_COHORT:
		ttas_mcs_lock_lock(&mutex->cohort);
		break;
	case VARIANT_ADDED:
		added_lock_lock(&mutex->added);
		break;
	}
}

HEDDLE_MAY_SWITCH static inline void chosen_mutex_unlock(struct chosen_mutex *mutex)
{
	switch (mutex->variant) {
	case VARIANT_EXCHANGE:
	case VARIANT_STRICT:
		mutex_unlock(&mutex->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_mutex_unlock(&mutex->dispatch);
		break;
	case VARIANT_INLINE:
		inline_mutex_unlock(&mutex->inlining);
		break;
	case VARIANT_CES_SPIN:
		spin_mutex_unlock(&mutex->spin);
		break;
	case VARIANT_TTAS:
		ttas_lock_unlock(&mutex->ttas);
		break;
	case VARIANT_MCS:
		mcs_lock_unlock(&mutex->mcs);
		break;
	case VARIANT_COHORT:
		ttas_mcs_lock_unlock(&mutex->cohort);
		break;
	case VARIANT_ADDED:
		added_lock_unlock(&mutex->added);
		break;
	}
}

HEDDLE_MAY_SWITCH static inline void chosen_read_lock(struct chosen_reader_writer_lock *lock)
{
	switch (lock->variant) {
	case VARIANT_EXCHANGE:
		reader_writer_lock_read(&lock->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_read_lock(&lock->dispatch);
		break;
	case VARIANT_INLINE:
		inline_read_lock(&lock->inlining);
		break;
	case VARIANT_ADDED:
		added_lock_read_lock(&lock->added);
		break;
	default:
		spin_read_lock(&lock->spin);
		break;
	}
}

HEDDLE_MAY_SWITCH static inline void chosen_read_unlock(struct chosen_reader_writer_lock *lock)
{
	switch (lock->variant) {
	case VARIANT_EXCHANGE:
		reader_writer_lock_read_unlock(&lock->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_read_unlock(&lock->dispatch);
		break;
	case VARIANT_INLINE:
		inline_read_unlock(&lock->inlining);
		break;
	case VARIANT_ADDED:
		added_lock_read_unlock(&lock->added);
		break;
	default:
		spin_read_unlock(&lock->spin);
		break;
	}
}

HEDDLE_MAY_SWITCH static inline void chosen_write_lock(struct chosen_reader_writer_lock *lock)
{
	switch (lock->variant) {
	case VARIANT_EXCHANGE:
		reader_writer_lock_write(&lock->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_write_lock(&lock->dispatch);
		break;
	case VARIANT_INLINE:
		inline_write_lock(&lock->inlining);
		break;
	case VARIANT_ADDED:
		added_lock_lock(&lock->added);
		break;
	default:
		spin_write_lock(&lock->spin);
		break;
	}
}

HEDDLE_MAY_SWITCH static inline void chosen_write_unlock(struct chosen_reader_writer_lock *lock)
{
	switch (lock->variant) {
	case VARIANT_EXCHANGE:
		reader_writer_lock_write_unlock(&lock->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_write_unlock(&lock->dispatch);
		break;
	case VARIANT_INLINE:
		inline_write_unlock(&lock->inlining);
		break;
	case VARIANT_ADDED:
		added_lock_unlock(&lock->added);
		break;
	default:
		spin_write_unlock(&lock->spin);
		break;
	}
}

#endif
