/*
 * The lock under test, chosen by the parameter `variant`: `exchange` is Heddle's own (heddle/mutex.h,
 * heddle/reader_writer_lock.h); `dispatch`, `inline` and `ces-spin` are what it is measured against
 * (sync/baseline/). All have the same interface, and serve those who wait in the order in which they came.
 *
 * Each function branches on the variant, always the same way, and calls the lock by its name: so the plugin
 * knows that the call may switch, and what is measured is the lock. Errors are not looked at: who has got one
 * does not hold the lock, or was not alone in it, and the program's own check sees that.
 */
#ifndef USER_BENCH_LOCK_CHOICE_H
#define USER_BENCH_LOCK_CHOICE_H

#include "heddle/mutex.h"
#include "heddle/program.h"
#include "heddle/reader_writer_lock.h"
#include "sync/baseline/dispatch_mutex.h"
#include "sync/baseline/dispatch_reader_writer_lock.h"
#include "sync/baseline/inline_mutex.h"
#include "sync/baseline/inline_reader_writer_lock.h"
#include "sync/baseline/spin_mutex.h"
#include "sync/baseline/spin_reader_writer_lock.h"

enum lock_variant { VARIANT_EXCHANGE, VARIANT_DISPATCH, VARIANT_INLINE, VARIANT_CES_SPIN };

/* The choices of the parameter `variant`, in the order of enum lock_variant. */
#define LOCK_VARIANTS "exchange|dispatch|inline|ces-spin"

struct chosen_mutex {
	enum lock_variant variant;
	union {
		struct mutex exchange;
		struct dispatch_mutex dispatch;
		struct inline_mutex inlining;
		struct spin_mutex spin;
	};
};

struct chosen_reader_writer_lock {
	enum lock_variant variant;
	union {
		struct reader_writer_lock exchange;
		struct dispatch_reader_writer_lock dispatch;
		struct inline_reader_writer_lock inlining;
		struct spin_reader_writer_lock spin;
	};
};

/* Each lock is zeroed memory before its first use. */
static inline void chosen_mutex_create(struct chosen_mutex *mutex, enum lock_variant variant)
{
	*mutex = (struct chosen_mutex){.variant = variant};
}

MAY_SWITCH static inline void chosen_mutex_lock(struct chosen_mutex *mutex)
{
	switch (mutex->variant) {
	case VARIANT_EXCHANGE:
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
	}
}

MAY_SWITCH static inline void chosen_mutex_unlock(struct chosen_mutex *mutex)
{
	switch (mutex->variant) {
	case VARIANT_EXCHANGE:
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
	}
}

static inline void chosen_reader_writer_lock_create(struct chosen_reader_writer_lock *lock,
                                                    enum lock_variant variant)
{
	*lock = (struct chosen_reader_writer_lock){.variant = variant};
}

MAY_SWITCH static inline void chosen_read_lock(struct chosen_reader_writer_lock *lock)
{
	switch (lock->variant) {
	case VARIANT_EXCHANGE:
		read_lock(&lock->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_read_lock(&lock->dispatch);
		break;
	case VARIANT_INLINE:
		inline_read_lock(&lock->inlining);
		break;
	case VARIANT_CES_SPIN:
		spin_read_lock(&lock->spin);
		break;
	}
}

MAY_SWITCH static inline void chosen_read_unlock(struct chosen_reader_writer_lock *lock)
{
	switch (lock->variant) {
	case VARIANT_EXCHANGE:
		read_unlock(&lock->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_read_unlock(&lock->dispatch);
		break;
	case VARIANT_INLINE:
		inline_read_unlock(&lock->inlining);
		break;
	case VARIANT_CES_SPIN:
		spin_read_unlock(&lock->spin);
		break;
	}
}

MAY_SWITCH static inline void chosen_write_lock(struct chosen_reader_writer_lock *lock)
{
	switch (lock->variant) {
	case VARIANT_EXCHANGE:
		write_lock(&lock->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_write_lock(&lock->dispatch);
		break;
	case VARIANT_INLINE:
		inline_write_lock(&lock->inlining);
		break;
	case VARIANT_CES_SPIN:
		spin_write_lock(&lock->spin);
		break;
	}
}

MAY_SWITCH static inline void chosen_write_unlock(struct chosen_reader_writer_lock *lock)
{
	switch (lock->variant) {
	case VARIANT_EXCHANGE:
		write_unlock(&lock->exchange);
		break;
	case VARIANT_DISPATCH:
		dispatch_write_unlock(&lock->dispatch);
		break;
	case VARIANT_INLINE:
		inline_write_unlock(&lock->inlining);
		break;
	case VARIANT_CES_SPIN:
		spin_write_unlock(&lock->spin);
		break;
	}
}

#endif
